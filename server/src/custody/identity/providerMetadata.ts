import { allowInsecureRequests, discovery, type ServerMetadata } from 'openid-client'
import type { Clock } from '../../kit/runtime/clock.ts'
import { providerDefaults, type SocialProvider, type SocialSettings } from './socialProviders.ts'

/** Returns the endpoints of a provider (RFC 8414). */
export type ProviderMetadata = () => Promise<ServerMetadata>

/** Timeout of requests to providers, in seconds. */
export const providerTimeoutSeconds = 5
const cacheMs = 60 * 60_000

/**
 * Creates the metadata of a provider: configured and default endpoints, and discovery for the rest. Discovered endpoints are
 * cached for an hour.
 *
 * The returned function throws an Error if discovery is needed and fails.
 */
export function createProviderMetadata(name: SocialProvider, settings: SocialSettings, clock: Clock): ProviderMetadata {
  const defaults = providerDefaults[name]
  // The default endpoints belong to the default issuer only.
  const usual = settings.issuer === undefined ? defaults : { issuer: settings.issuer }
  const issuer = usual.issuer
  const given = {
    authorization_endpoint: settings.authorizationUrl ?? defaultUrl('authorizationUrl'),
    token_endpoint: settings.tokenUrl ?? defaultUrl('tokenUrl'),
    jwks_uri: settings.jwksUrl ?? defaultUrl('jwksUrl'),
  }
  let found: { metadata: ServerMetadata; at: number } | undefined

  function defaultUrl(key: 'authorizationUrl' | 'tokenUrl' | 'jwksUrl'): string | undefined {
    return settings.issuer === undefined ? defaults[key] : undefined
  }

  return async () => {
    const isComplete = given.authorization_endpoint !== undefined && given.token_endpoint !== undefined
    if (isComplete) return omitUndefined({ issuer, ...given })
    if (found === undefined || found.at + cacheMs <= clock.now()) {
      const config = await discovery(new URL(issuer), settings.clientId, undefined, undefined, {
        execute: isUnencrypted(issuer) ? [allowInsecureRequests] : [],
        timeout: providerTimeoutSeconds,
      })
      found = { metadata: config.serverMetadata(), at: clock.now() }
    }
    return { ...found.metadata, ...omitUndefined({ issuer, ...given }) }
  }
}

/** True for plain HTTP. The configuration accepts it for addresses of this machine only. */
export function isUnencrypted(url: string | undefined): boolean {
  return url?.startsWith('http:') === true
}

function omitUndefined(
  metadata: Record<keyof ServerMetadata, string | undefined> & { issuer: string },
): ServerMetadata {
  const entries = Object.entries(metadata).filter(([, value]) => value !== undefined)
  return { issuer: metadata.issuer, ...Object.fromEntries(entries) }
}
