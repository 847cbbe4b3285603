import { allowInsecureRequests, discovery, type ServerMetadata } from 'openid-client'
import type { Clock } from '../../kit/clock.ts'
import { dialects, type SocialName, type SocialSettings } from './providers.ts'

/** Where a provider's endpoints are. */
export type Metadata = () => Promise<ServerMetadata>

/** Seconds that a provider is waited for. */
export const patience = 5
const keptMs = 60 * 60_000

/**
 * Finds a provider's endpoints: those that are written down, and the rest by discovery, which is asked again after an hour.
 *
 * @throws (later) Error when it has to be discovered and cannot
 */
export function createMetadata(name: SocialName, settings: SocialSettings, clock: Clock): Metadata {
  const dialect = dialects[name]
  // Another issuer has other endpoints.
  const usual = settings.issuer === undefined ? dialect : { issuer: settings.issuer }
  const issuer = usual.issuer
  const given = {
    authorization_endpoint: settings.authorizationUrl ?? dialectUrl('authorizationUrl'),
    token_endpoint: settings.tokenUrl ?? dialectUrl('tokenUrl'),
    jwks_uri: settings.jwksUrl ?? dialectUrl('jwksUrl'),
  }
  let found: { metadata: ServerMetadata; at: number } | undefined

  function dialectUrl(key: 'authorizationUrl' | 'tokenUrl' | 'jwksUrl'): string | undefined {
    return settings.issuer === undefined ? dialect[key] : undefined
  }

  return async () => {
    const isWhole = given.authorization_endpoint !== undefined && given.token_endpoint !== undefined
    if (isWhole) return withoutGaps({ issuer, ...given })
    if (found === undefined || found.at + keptMs <= clock.now()) {
      const config = await discovery(new URL(issuer), settings.clientId, undefined, undefined, {
        execute: isPlain(issuer) ? [allowInsecureRequests] : [],
        timeout: patience,
      })
      found = { metadata: config.serverMetadata(), at: clock.now() }
    }
    return { ...found.metadata, ...withoutGaps({ issuer, ...given }) }
  }
}

/** Only addresses of this machine may be without encryption: the configuration refuses others. */
export function isPlain(url: string | undefined): boolean {
  return url?.startsWith('http:') === true
}

function withoutGaps(metadata: Record<keyof ServerMetadata, string | undefined> & { issuer: string }): ServerMetadata {
  const entries = Object.entries(metadata).filter(([, value]) => value !== undefined)
  return { issuer: metadata.issuer, ...Object.fromEntries(entries) }
}
