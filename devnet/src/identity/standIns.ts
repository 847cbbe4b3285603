import { createHash, randomBytes } from 'node:crypto'
import { handleOf, subjectOf, type Person } from './people.ts'

/** An OAuth 2.0 provider without ID tokens: codes, access tokens and user info endpoints. */
export type OAuthStandIn = {
  readonly name: 'github' | 'x' | 'discord'
  readonly title: string
  /** The paths of its pages and endpoints, relative to its own. */
  readonly paths: { readonly authorize: string; readonly token: string }
  /** The part of the request with the client secret. */
  readonly secretIn: 'body' | 'header'
  /** The token response. */
  tokens(accessToken: string, scope: string): object
  /** The response to an invalid code. GitHub uses status 200. */
  readonly refusal: { readonly status: number; readonly body: object }
  /** The user info responses, by path. */
  readonly profiles: Readonly<Record<string, (person: Person, scope: string) => unknown>>
}

const createLongId = (prefix: string): string => prefix + randomBytes(20).toString('hex')

/** Each in the format of the provider's documentation. */
export const standIns: readonly OAuthStandIn[] = [
  {
    name: 'github',
    title: 'GitHub',
    paths: { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token' },
    secretIn: 'body',
    tokens: (token, scope) => ({ access_token: token, token_type: 'bearer', scope: scope.replaceAll(' ', ',') }),
    refusal: {
      status: 200,
      body: {
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
        error_uri: 'https://docs.github.com/',
      },
    },
    profiles: {
      '/user': (person) => ({
        login: handleOf(person),
        id: Number(subjectOf('github', person)),
        node_id: Buffer.from(`04:User${subjectOf('github', person)}`).toString('base64'),
        type: 'User',
        name: person.name,
        // The address on a profile is not verified.
        email: null,
      }),
      '/user/emails': (person) => [
        { email: person.email, primary: true, verified: person.verified, visibility: 'private' },
        { email: `${handleOf(person)}@users.example.net`, primary: false, verified: true, visibility: null },
      ],
    },
  },
  {
    name: 'x',
    title: 'X',
    paths: { authorize: '/i/oauth2/authorize', token: '/2/oauth2/token' },
    secretIn: 'header',
    tokens: (token, scope) => ({ token_type: 'bearer', expires_in: 7200, access_token: token, scope }),
    refusal: {
      status: 400,
      body: { error: 'invalid_request', error_description: 'Value passed for the authorization code was invalid.' },
    },
    profiles: {
      '/2/users/me': (person, scope) => ({
        data: {
          id: subjectOf('x', person),
          name: person.name,
          username: handleOf(person),
          ...(person.verified && scope.includes('users.email') && { confirmed_email: person.email }),
        },
      }),
    },
  },
  {
    name: 'discord',
    title: 'Discord',
    paths: { authorize: '/oauth2/authorize', token: '/api/oauth2/token' },
    secretIn: 'body',
    tokens: (token, scope) => ({
      token_type: 'Bearer',
      access_token: token,
      expires_in: 604_800,
      refresh_token: createLongId(''),
      scope,
    }),
    refusal: { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid "code" in request.' } },
    profiles: {
      '/api/users/@me': (person, scope) => ({
        id: subjectOf('discord', person),
        username: handleOf(person),
        discriminator: '0',
        global_name: person.name,
        avatar: null,
        ...(scope.includes('email') && { verified: person.verified, email: person.email }),
      }),
    },
  },
]

/** The PKCE challenge of a verifier (RFC 7636). */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** Creates a random code or token. */
export const newToken = (): string => createLongId('local_')
