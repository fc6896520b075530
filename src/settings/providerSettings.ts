import { Config, Option } from "effect"
import { declareSetting, parseList } from "./Setting.ts"

/** Where providers are found, and how requests reach them. */
export const declareProviderSettings = () => ({
  providersFile: declareSetting(
    {
      name: "PROVIDERS_FILE",
      allowed: "a path",
      fallback: "none",
      meaning:
        "JSON file that names the operator's own DNS servers, which the service may then write to, and the operator's OAuth clients at providers of the catalog."
    },
    (path) => Option.some(Option.some(path)),
    () => Option.none()
  ),
  domainConnectHosts: declareSetting(
    {
      name: "DOMAIN_CONNECT_HOSTS",
      allowed: "host names, each with a path if it has one, separated by commas",
      fallback: "none",
      meaning:
        "Where providers answer for Domain Connect, beside those that the service knows: a _domainconnect record that names another host is not followed."
    },
    parseList((text) =>
      Option.liftPredicate(text.toLowerCase(), (host) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\w.~/-]*)?$/.test(host))
    ),
    () => []
  ),
  outboundProxy: declareSetting(
    {
      name: "OUTBOUND_PROXY",
      secret: "credentials",
      allowed: "an http or https URL",
      fallback: "none",
      meaning: "HTTP proxy for requests to providers and webhooks; HTTP_PROXY and its relatives are ignored."
    },
    (text) =>
      Option.map(
        Option.liftPredicate(text, (url) => /^https?:\/\/[^?#\s]+$/.test(url) && URL.canParse(url)),
        Option.some
      ),
    () => Option.none()
  )
})

/** The providers file of the service, for commands that need none of its other settings. */
export const providersFilePath: Config.Config<Option.Option<string>> = Config.map(
  Config.option(Config.nonEmptyString("PROVIDERS_FILE")),
  Option.map((path) => path.trim())
)
