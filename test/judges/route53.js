// Drives AWS's own SDK, unaltered and at the address of Route 53: `route53.js ListHostedZonesByName '{"DNSName": …}'`.
// Prints what the SDK returns as JSON. The key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as for every SDK of AWS.
import {
  ChangeResourceRecordSetsCommand,
  GetHostedZoneCommand,
  ListHostedZonesByNameCommand,
  ListResourceRecordSetsCommand,
  Route53Client
} from "@aws-sdk/client-route-53"

const client = new Route53Client({ region: "us-east-1", maxAttempts: 1 })

const commands = {
  ChangeResourceRecordSets: ChangeResourceRecordSetsCommand,
  GetHostedZone: GetHostedZoneCommand,
  ListHostedZonesByName: ListHostedZonesByNameCommand,
  ListResourceRecordSets: ListResourceRecordSetsCommand
}

const [operation, parameters = "{}"] = process.argv.slice(2)
console.log(JSON.stringify(await client.send(new commands[operation](JSON.parse(parameters)))))
