import type { Namespace } from '../namespaces.ts'

/**
 * The messages between an app's page and the frame of the embedded wallet. Names and payloads match those of existing
 * apps. All other fields are optional, so that page and frame can have different versions.
 *
 * A page's message is `{ type: '@w3m-app/NAME', id, payload? }`; the frame responds with the same id and
 * `@w3m-frame/NAME_SUCCESS` or `@w3m-frame/NAME_ERROR`, whose payload is `{ message }`.
 */

/** The account type on eip155 networks. */
export type FrameAccountType = 'eoa' | 'smartAccount'

/** Social logins that use an identity provider's page. */
export const frameSocials = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const
export type FrameSocial = (typeof frameSocials)[number]

/** The next login step after the user entered an e-mail address [R4.3.4]. */
export type EmailAction = 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'

/** The next step of an e-mail address change [R4.3.4]. */
export type UpdateEmailAction = 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'

export type FrameAccount = { readonly type: FrameAccountType; readonly address: string }

/** The logged-in user on one chain. */
export type FrameUser = {
  readonly email?: string
  readonly userName?: string
  readonly address: string
  /** A CAIP-2 id, or the number of an eip155 chain. */
  readonly chainId: string | number
  readonly smartAccountDeployed?: boolean
  readonly accounts?: readonly FrameAccount[]
  readonly preferredAccountType?: FrameAccountType
}

export type FrameMetadata = {
  readonly name?: string
  readonly description?: string
  readonly url?: string
  readonly icons?: readonly string[]
}

/** A wallet request in the form of EIP-1193 and the CAIP-25 methods. */
export type FrameRpcRequest = {
  readonly method: string
  readonly params?: unknown
  readonly chainNamespace?: Namespace
  readonly chainId?: string | number
}

type UserOptions = { readonly chainId?: string | number; readonly preferredAccountType?: FrameAccountType }

/** The requests of a page by name, with payload and response. */
export type FrameRequests = {
  SWITCH_NETWORK: { payload: { readonly chainId: string | number }; response: { readonly chainId: string | number } }
  /** `match`: for VERIFY_DEVICE, two digits that the user compares with those in the mail. */
  CONNECT_EMAIL: {
    payload: { readonly email: string }
    response: { readonly action: EmailAction; readonly match?: string }
  }
  CONNECT_DEVICE: { payload: undefined; response: undefined }
  CONNECT_OTP: { payload: { readonly otp: string }; response: undefined }
  /** `match`: two digits that the provider's last page asks for if it can't reach the frame. */
  GET_SOCIAL_REDIRECT_URI: {
    payload: { readonly provider: FrameSocial }
    response: { readonly uri: string; readonly match?: string }
  }
  /** `uri`: the redirect URI of the provider's window. Without it, the frame polls until the login is done. */
  CONNECT_SOCIAL: { payload: UserOptions & { readonly uri?: string }; response: FrameUser }
  GET_FARCASTER_URI: { payload: undefined; response: { readonly url: string } }
  CONNECT_FARCASTER: { payload: undefined; response: { readonly userName: string } }
  GET_USER: { payload: UserOptions | undefined; response: FrameUser }
  IS_CONNECTED: { payload: undefined; response: { readonly isConnected: boolean } }
  GET_CHAIN_ID: { payload: undefined; response: { readonly chainId: string | number } }
  SIGN_OUT: { payload: undefined; response: undefined }
  RPC_REQUEST: { payload: FrameRpcRequest; response: unknown }
  UPDATE_EMAIL: { payload: { readonly email: string }; response: { readonly action: UpdateEmailAction } }
  UPDATE_EMAIL_PRIMARY_OTP: { payload: { readonly otp: string }; response: undefined }
  UPDATE_EMAIL_SECONDARY_OTP: { payload: { readonly otp: string }; response: { readonly newEmail: string } }
  SYNC_THEME: {
    payload: {
      readonly themeMode?: 'light' | 'dark'
      readonly themeVariables?: Readonly<Record<string, string>>
      readonly w3mThemeVariables?: Readonly<Record<string, string>>
    }
    response: undefined
  }
  SYNC_DAPP_DATA: {
    payload: {
      readonly metadata?: FrameMetadata
      readonly sdkVersion?: string
      readonly sdkType?: string
      readonly projectId: string
      /** Language of the page's modal (BCP 47). */
      readonly language?: string
    }
    response: undefined
  }
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    payload: undefined
    response: { readonly smartAccountEnabledNetworks: readonly number[] }
  }
  INIT_SMART_ACCOUNT: { payload: undefined; response: { readonly address: string; readonly isDeployed: boolean } }
  SET_PREFERRED_ACCOUNT: {
    payload: { readonly type: FrameAccountType }
    response: { readonly type: FrameAccountType; readonly address: string }
  }
  RELOAD: { payload: undefined; response: undefined }
  /** Aborts all requests that wait for the user, or only the one with `id`. */
  RPC_ABORT: { payload: { readonly id?: string } | undefined; response: undefined }
  /** Opens one of the frame's screens. The response follows when the user closes it. */
  OPEN_SCREEN: { payload: { readonly screen: 'recovery' | 'devices' | 'policy' }; response: undefined }
}

export type FrameRequestName = keyof FrameRequests

/** The events of the frame, by name. */
export type FrameEvents = {
  /** The frame accepts requests. */
  READY: { readonly version?: string }
  /** `open` is true while the frame shows a screen that needs the user. `height` is the preferred height in pixels. */
  SCREEN: { readonly open: boolean; readonly height?: number }
  /** The login ended or its accounts changed without a request of this page. */
  CHANGED: { readonly isConnected: boolean }
  /** The identity provider identified the user. Its window can close while the frame creates or opens the wallet. */
  OPENING: Readonly<Record<never, never>>
}

export type FrameEventName = keyof FrameEvents

/** A request of a page. */
export type FrameRequest = {
  [name in FrameRequestName]: {
    readonly name: name
    readonly id: string
    readonly payload: FrameRequests[name]['payload']
  }
}[FrameRequestName]

/** Timeouts of a page for frame responses, in milliseconds [R9.1.2]. */
export const frameTimes = {
  /** E-mail, device, one-time code and social login. */
  login: 30_000,
  /** Additional delay between READY and the first request. */
  settle: 500,
  ready: 20_000,
  signOut: 3_000,
  /** Minimum interval between two mails to one address [R9.1.1]. */
  mailCooldown: 30_000,
} as const

/** The limits of a message. Messages beyond them are ignored. */
export const frameLimits: Readonly<Record<'bytes' | 'depth' | 'open' | 'perSecond' | 'burst' | 'id', number>> = {
  bytes: 64 * 1_024,
  depth: 16,
  open: 32,
  perSecond: 20,
  burst: 40,
  id: 64,
}
