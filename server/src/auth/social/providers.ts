/** Social logins that go through a provider's page. */
export const socialNames = ['google', 'apple', 'facebook', 'github', 'x', 'discord'] as const
export type SocialName = (typeof socialNames)[number]

/** Those that say who somebody is in a signed token, which anybody can check (OpenID Connect). */
export const tokenNames = ['google', 'apple', 'facebook'] as const satisfies readonly SocialName[]
export type TokenName = (typeof tokenNames)[number]

/** What a deployment was given by a provider, and where it finds it when that is not the usual place. */
export type SocialSettings = {
  readonly clientId: string
  /** Left out where only tokens are checked, as the share store does. */
  readonly clientSecret?: string | undefined
  readonly authorizationUrl?: string | undefined
  readonly tokenUrl?: string | undefined
  /** Of providers with signed tokens. The other addresses are found from it when it is given. */
  readonly issuer?: string | undefined
  readonly jwksUrl?: string | undefined
  /** Of the others: who belongs to an access token, and which addresses. */
  readonly userUrl?: string | undefined
  readonly emailsUrl?: string | undefined
  /** Apple's secret is signed anew each time: with these, instead of `clientSecret`. */
  readonly teamId?: string | undefined
  readonly keyId?: string | undefined
  /** PKCS #8 in PEM. */
  readonly privateKey?: string | undefined
}

/** The providers that are set up. */
export type Socials = { readonly [name in SocialName]?: SocialSettings | undefined }

/** How a provider is spoken with. */
export type Dialect = {
  readonly scope: string
  readonly issuer: string
  readonly authorizationUrl?: string
  readonly tokenUrl?: string
  readonly jwksUrl?: string
  readonly userUrl?: string
  readonly emailsUrl?: string
  /** How the answer comes back to us; in the address when left out. */
  readonly responseMode?: 'form_post'
  /** How we say who we are; in the body when left out. */
  readonly secretIn?: 'header'
}

/** The usual places of each provider, by its own documentation. What is missing is discovered from the issuer. */
export const dialects: { readonly [name in SocialName]: Dialect } = {
  google: { scope: 'openid email profile', issuer: 'https://accounts.google.com' },
  // Apple sends its answer as a form whenever a name or an address is asked for.
  apple: { scope: 'openid name email', issuer: 'https://appleid.apple.com', responseMode: 'form_post' },
  // Facebook's discovery document has no token endpoint.
  facebook: {
    scope: 'openid email public_profile',
    issuer: 'https://www.facebook.com',
    authorizationUrl: 'https://www.facebook.com/v23.0/dialog/oauth',
    tokenUrl: 'https://graph.facebook.com/v23.0/oauth/access_token',
    jwksUrl: 'https://www.facebook.com/.well-known/oauth/openid/jwks/',
  },
  github: {
    scope: 'read:user user:email',
    issuer: 'https://github.com/login/oauth',
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    userUrl: 'https://api.github.com/user',
    emailsUrl: 'https://api.github.com/user/emails',
  },
  x: {
    scope: 'users.read tweet.read users.email',
    issuer: 'https://x.com',
    authorizationUrl: 'https://x.com/i/oauth2/authorize',
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    userUrl: 'https://api.x.com/2/users/me?user.fields=confirmed_email',
    secretIn: 'header',
  },
  discord: {
    scope: 'identify email',
    issuer: 'https://discord.com',
    authorizationUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    userUrl: 'https://discord.com/api/users/@me',
  },
}

/** Whether a provider signs tokens. */
export function signsTokens(name: SocialName): name is TokenName {
  return tokenNames.some((each) => each === name)
}
