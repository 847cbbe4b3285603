import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIdentity, type LocalIdentity } from './startIdentity.ts'

const standIns = ['github', 'x', 'discord'] as const
const createCallbackUrl = (name: string): string => `http://127.0.0.1:4602/auth/v1/social/${name}/callback`

let identity: LocalIdentity
beforeAll(async () => {
  identity = await startIdentity()
})
afterAll(() => identity.close())

/** A client's request to a stand-in, with some fields replaced. */
function authorizeUrl(name: string, changes: Record<string, string> = {}): string {
  const settings = identity.socials[name] ?? {}
  const query = {
    client_id: settings['clientId'] ?? '',
    response_type: 'code',
    redirect_uri: createCallbackUrl(name),
    scope: 'user:email',
    state: 'the-state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...changes,
  }
  return `${settings['authorizationUrl'] ?? ''}?${new URLSearchParams(query)}`
}

describe('local identity providers', () => {
  test.each(['google', 'apple', 'facebook'])(
    'let %s be discovered, each with an issuer and keys of its own',
    async (name) => {
      const issuer = identity.socials[name]?.['issuer'] ?? ''
      const found: unknown = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
      expect(found).toMatchObject({ issuer, code_challenge_methods_supported: ['S256'] })
    },
  )

  test.each(standIns)('the consent page of %s works without scripts', async (name) => {
    const response = await fetch(authorizeUrl(name))
    const page = await response.text()
    expect(page).toContain('Ann Lee')
    expect(page).not.toContain('<script')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test.each(standIns)('%s redirects only to the callback of a server on this machine', async (name) => {
    const refused: readonly Record<string, string>[] = [
      { redirect_uri: 'https://evil.example/auth/v1/social/github/callback' },
      { redirect_uri: `${createCallbackUrl(name)}/x` },
      { redirect_uri: `${createCallbackUrl(name)}?a=b` },
      { client_id: 'unknown' },
      { code_challenge: '' },
      { code_challenge_method: 'plain' },
    ]
    for (const changes of refused) {
      expect((await fetch(authorizeUrl(name, changes), { redirect: 'manual' })).status).toBe(400)
    }
  })

  test.each(standIns)('%s returns no user info without a token', async (name) => {
    expect((await fetch(identity.socials[name]?.['userUrl'] ?? '')).status).toBe(401)
  })
})
