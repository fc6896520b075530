// Drives AWS's own SDK, unaltered and at the address of Route 53: `route53.js ListHostedZonesByName '{"DNSName": …}'`.
// Prints what the SDK returns as JSON. The key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as for every SDK of AWS.
import * as sdk from "@aws-sdk/client-route-53"

const client = new sdk.Route53Client({ region: "us-east-1", maxAttempts: 1 })

const [operation, parameters = "{}"] = process.argv.slice(2)
const { [`${operation}Command`]: Command } = sdk
console.log(JSON.stringify(await client.send(new Command(JSON.parse(parameters)))))
