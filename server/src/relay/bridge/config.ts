import { z } from 'zod'

/** The relay that ours carries its topics to and from. */
export type Upstream = {
  /** Where it takes websockets. Tokens are made for this very text. */
  url: string
  /** The operator's project there, 32 hex digits. */
  projectId: string
  /** What the upgrade says as its `Origin`, where the project there allows some only. */
  origin: string | undefined
  /** How long a topic is followed after its last listener's connection is gone, in seconds. */
  lingerSeconds: number
}

/** The bridge's part of the server's configuration. */
export const bridgeConfig = {
  RELAY_UPSTREAM_URL: z
    .url({ protocol: /^wss?$/, error: 'must begin with wss:// or ws://' })
    .regex(/^[^#]*$/, 'must have no # in it')
    .optional(),
  RELAY_UPSTREAM_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits')
    .optional(),
  RELAY_UPSTREAM_ORIGIN: z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' }).optional(),
  RELAY_UPSTREAM_LINGER_SECONDS: z.coerce
    .number('must be a number')
    .int()
    .min(0)
    .max(24 * 60 * 60)
    .default(600),
}

type Given = z.infer<z.ZodObject<typeof bridgeConfig>>

/** The upstream that a configuration names, if any. */
export function readUpstream(given: Given): Upstream | undefined {
  const { RELAY_UPSTREAM_URL: url, RELAY_UPSTREAM_PROJECT_ID: projectId } = given
  if (url === undefined || projectId === undefined) return undefined
  return {
    url,
    projectId,
    origin: given.RELAY_UPSTREAM_ORIGIN,
    lingerSeconds: given.RELAY_UPSTREAM_LINGER_SECONDS,
  }
}

/** What is wrong with a configuration as a whole. */
export function upstreamProblems(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { RELAY_UPSTREAM_URL: url, RELAY_UPSTREAM_PROJECT_ID: projectId } = environment
  if ((url === undefined) === (projectId === undefined)) return []
  return url === undefined
    ? ['RELAY_UPSTREAM_URL: is needed with RELAY_UPSTREAM_PROJECT_ID']
    : ['RELAY_UPSTREAM_PROJECT_ID: is needed with RELAY_UPSTREAM_URL']
}
