// Drives AWS's own SDK, unaltered and at the address of Route 53, with calls after each other:
// `route53.js '[["ListHostedZonesByName", {"DNSName": …}]]'`. Prints what the SDK returns as a JSON array; of the sets of a
// zone all pages, which the SDK leaves to its caller. The credential is where each SDK of AWS looks for one.
import {
  ChangeResourceRecordSetsCommand,
  GetHostedZoneCommand,
  ListHostedZonesByNameCommand,
  ListResourceRecordSetsCommand,
  Route53Client
} from "@aws-sdk/client-route-53"

const client = new Route53Client({ region: "us-east-1", maxAttempts: 1 })

const listSets = async (parameters) => {
  const { ResourceRecordSets, ...page } = await client.send(new ListResourceRecordSetsCommand(parameters))
  const { NextRecordIdentifier, NextRecordName, NextRecordType } = page
  const next = {
    StartRecordName: NextRecordName,
    StartRecordType: NextRecordType,
    StartRecordIdentifier: NextRecordIdentifier
  }
  return page.IsTruncated
    ? [...ResourceRecordSets, ...(await listSets({ ...parameters, ...next }))]
    : ResourceRecordSets
}

const commands = {
  ChangeResourceRecordSets: (parameters) => client.send(new ChangeResourceRecordSetsCommand(parameters)),
  GetHostedZone: (parameters) => client.send(new GetHostedZoneCommand(parameters)),
  ListHostedZonesByName: (parameters) => client.send(new ListHostedZonesByNameCommand(parameters)),
  ListResourceRecordSets: listSets
}

const returned = []
for (const [command, parameters] of JSON.parse(process.argv[2])) returned.push(await commands[command](parameters))
console.log(JSON.stringify(returned))
