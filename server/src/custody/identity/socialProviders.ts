/** The identity providers with a login page of their own. */
export const socialProviders = ['google', 'apple', 'facebook', 'github', 'x', 'discord'] as const
export type SocialProvider = (typeof socialProviders)[number]

/** The providers that sign ID tokens (OpenID Connect), which any service can verify. */
export const oidcProviders = ['google', 'apple', 'facebook'] as const satisfies readonly SocialProvider[]
export type OidcProvider = (typeof oidcProviders)[number]

/** The client registration of a deployment at a provider, and its addresses if they are not the usual ones. */
export type SocialSettings = {
  readonly clientId: string
  /** Not needed for verifying ID tokens only, as the share store does. */
  readonly clientSecret?: string | undefined
  readonly authorizationUrl?: string | undefined
  readonly tokenUrl?: string | undefined
  /** For providers that sign ID tokens. If it is set, missing addresses are discovered from it. */
  readonly issuer?: string | undefined
  readonly jwksUrl?: string | undefined
  /** For the other providers: the endpoints that return the user and the addresses of an access token. */
  readonly userUrl?: string | undefined
  readonly emailsUrl?: string | undefined
  /** Apple's client secret is a signed token. These three sign it and replace `clientSecret`. */
  readonly teamId?: string | undefined
  readonly keyId?: string | undefined
  /** PKCS #8 in PEM. */
  readonly privateKey?: string | undefined
}

/** The configured providers. */
export type Socials = { readonly [name in SocialProvider]?: SocialSettings | undefined }

/** The protocol details of a provider. */
export type ProviderDefaults = {
  readonly scope: string
  readonly issuer: string
  readonly authorizationUrl?: string
  readonly tokenUrl?: string
  readonly jwksUrl?: string
  readonly userUrl?: string
  readonly emailsUrl?: string
  /** The part of the callback with the provider's response. Default: the query. */
  readonly responseMode?: 'form_post'
  /** The part of the request that carries the client secret. Default: the body. */
  readonly secretIn?: 'header'
}

/** The defaults of each provider, from its documentation. Missing addresses are discovered from the issuer. */
export const providerDefaults: { readonly [name in SocialProvider]: ProviderDefaults } = {
  google: { scope: 'openid email profile', issuer: 'https://accounts.google.com' },
  // Apple returns its response as a form if a name or an address is requested.
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

/** True if the provider signs ID tokens. */
export function isOidcProvider(name: SocialProvider): name is OidcProvider {
  return oidcProviders.some((each) => each === name)
}
