import { Type } from '@sinclair/typebox'
import { urlSchema, webUrlSchema } from '../../kit/config/schemas.ts'
import {
  fromText,
  invalidValue,
  optional,
  withDefault,
  type Environment,
  type VariableValues,
} from '../../kit/config/variables.ts'

/** The upstream relay of the bridge. */
export type Upstream = {
  /** The URL of its websockets. Tokens name this exact text. */
  url: string
  /** The operator's project there, 32 hex digits. */
  projectId: string
  /** The `Origin` header of the upgrade, if the project allows some origins only. */
  origin: string | undefined
  /** Topics stay subscribed this long after their last subscriber has disconnected. */
  lingerSeconds: number
}

/** The environment variables of the bridge. */
export const bridgeVariables = {
  RELAY_UPSTREAM_URL: optional(parseUpstreamUrl),
  RELAY_UPSTREAM_PROJECT_ID: optional(
    fromText(Type.String({ pattern: '^[0-9a-f]{32}$', message: 'must be 32 hex digits' })),
  ),
  RELAY_UPSTREAM_ORIGIN: optional(fromText(webUrlSchema)),
  RELAY_UPSTREAM_LINGER_SECONDS: withDefault(
    fromText(Type.Integer({ minimum: 0, maximum: 24 * 60 * 60, message: 'must be a whole number from 0 to 86400' })),
    600,
  ),
}

/** Tokens are made for this very text, and a token cannot name a fragment. */
function parseUpstreamUrl(text: string): string {
  const url = fromText(urlSchema(['wss', 'ws']))(text)
  if (url.includes('#')) throw invalidValue('must have no # in it')
  return url
}

/** Gets the configured upstream relay, if any. */
export function toUpstream(given: VariableValues<typeof bridgeVariables>): Upstream | undefined {
  const { RELAY_UPSTREAM_URL: url, RELAY_UPSTREAM_PROJECT_ID: projectId } = given
  if (url === undefined || projectId === undefined) return undefined
  return {
    url,
    projectId,
    origin: given.RELAY_UPSTREAM_ORIGIN,
    lingerSeconds: given.RELAY_UPSTREAM_LINGER_SECONDS,
  }
}

/** Finds variables that need each other. */
export function findUpstreamProblems(environment: Environment): readonly string[] {
  const { RELAY_UPSTREAM_URL: url, RELAY_UPSTREAM_PROJECT_ID: projectId } = environment
  if ((url === undefined) === (projectId === undefined)) return []
  return url === undefined
    ? ['RELAY_UPSTREAM_URL: is needed with RELAY_UPSTREAM_PROJECT_ID']
    : ['RELAY_UPSTREAM_PROJECT_ID: is needed with RELAY_UPSTREAM_URL']
}
