import { Type } from '@sinclair/typebox'
import { fromText, invalidValue, optional, type Environment, type VariableValues } from '../kit/config/variables.ts'

/** The cluster that stores the messages of the relay instead of the database. */
export type RelayStore = {
  /** `nats://host:port,host:port`, or `tls://…`. */
  url: string
  /** Starts the names of its streams and subjects, so that several relays can use one cluster. */
  name: string
  /** The copies of each message; by default 3 on a cluster and 1 on a single server. */
  replicas: number | undefined
}

const defaultName = 'latchkey-relay'

/** One or more hosts with ports, and optional credentials. */
const storeUrlSchema = Type.String({
  pattern: String.raw`^(?:nats|tls)://(?:[^\s/?#@]+@)?(?:(?:[^\s/?#@:,\[\]]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?,?)+(?:/[\w-]{0,32})?$`,
  message: 'must be nats://host:4222,host:4222/name, or the same with tls:// for TLS',
})

/** The environment variables of the relay's store. */
export const storeVariables = {
  RELAY_STORE_URL: optional(fromText(storeUrlSchema)),
  RELAY_STORE_REPLICAS: optional(parseReplicas),
}

/** An even number survives no more losses than the odd one below it. */
function parseReplicas(text: string): number {
  const replicas = [1, 3, 5].find((each) => text.trim() === `${each}`)
  if (replicas === undefined) throw invalidValue('must be 1, 3 or 5')
  return replicas
}

/** Finds variables of the store that contradict others. */
export function findStoreProblems(environment: Environment): readonly string[] {
  const { RELAY_STORE_URL: url, RELAY_STORE_REPLICAS: replicas } = environment
  return url === undefined && replicas !== undefined ? ['RELAY_STORE_REPLICAS: needs RELAY_STORE_URL'] : []
}

/** Gets the store from the values of the variables; `undefined` for the database. */
export function toRelayStore(values: VariableValues<typeof storeVariables>): RelayStore | undefined {
  const { RELAY_STORE_URL: url, RELAY_STORE_REPLICAS: replicas } = values
  if (url === undefined) return undefined
  const [scheme = '', hosts = '', name = ''] = url.split(/:\/\/|\//)
  return { url: `${scheme}://${hosts}`, name: name === '' ? defaultName : name, replicas }
}
