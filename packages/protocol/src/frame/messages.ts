import type { Namespace } from '../namespaces.ts'

/**
 * The words that a page and the frame of the embedded wallet speak. Names and payloads are those that the field's pages
 * use already; every field beyond them is optional, so that either side may be older than the other.
 *
 * A page's message is `{ type: '@w3m-app/NAME', id, payload? }`; the frame answers with the same id and
 * `@w3m-frame/NAME_SUCCESS` or `@w3m-frame/NAME_ERROR`, whose payload is `{ message }`.
 */

/** What kind of account acts on an eip155 network. */
export type FrameAccountType = 'eoa' | 'smartAccount'

/** Social logins that go through a provider's page. */
export const frameSocials = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const
export type FrameSocial = (typeof frameSocials)[number]

/** What comes next after an e-mail address was given [R4.3.4]. */
export type EmailAction = 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'

/** What comes next when the address is changed [R4.3.4]. */
export type UpdateEmailAction = 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'

export type FrameAccount = { readonly type: FrameAccountType; readonly address: string }

/** Who is logged in, on one chain. */
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

/** A request to the wallet, as EIP-1193 and the CAIP-25 methods word it. */
export type FrameRpcRequest = {
  readonly method: string
  readonly params?: unknown
  readonly chainNamespace?: Namespace
  readonly chainId?: string | number
}

type UserOptions = { readonly chainId?: string | number; readonly preferredAccountType?: FrameAccountType }

/** Each of a page's requests by name: what it carries and what it is answered with. */
export type FrameRequests = {
  SWITCH_NETWORK: { payload: { readonly chainId: string | number }; answer: { readonly chainId: string | number } }
  /** `match`: two digits to compare with those of the mail, for VERIFY_DEVICE. */
  CONNECT_EMAIL: {
    payload: { readonly email: string }
    answer: { readonly action: EmailAction; readonly match?: string }
  }
  CONNECT_DEVICE: { payload: undefined; answer: undefined }
  CONNECT_OTP: { payload: { readonly otp: string }; answer: undefined }
  /** `match`: two digits that the provider's last page asks for where it is in another network than this browser. */
  GET_SOCIAL_REDIRECT_URI: {
    payload: { readonly provider: FrameSocial }
    answer: { readonly uri: string; readonly match?: string }
  }
  /** `uri`: what the provider's window came back with; left out, the frame looks for itself until it is done. */
  CONNECT_SOCIAL: { payload: UserOptions & { readonly uri?: string }; answer: FrameUser }
  GET_FARCASTER_URI: { payload: undefined; answer: { readonly url: string } }
  CONNECT_FARCASTER: { payload: undefined; answer: { readonly userName: string } }
  GET_USER: { payload: UserOptions | undefined; answer: FrameUser }
  IS_CONNECTED: { payload: undefined; answer: { readonly isConnected: boolean } }
  GET_CHAIN_ID: { payload: undefined; answer: { readonly chainId: string | number } }
  SIGN_OUT: { payload: undefined; answer: undefined }
  RPC_REQUEST: { payload: FrameRpcRequest; answer: unknown }
  UPDATE_EMAIL: { payload: { readonly email: string }; answer: { readonly action: UpdateEmailAction } }
  UPDATE_EMAIL_PRIMARY_OTP: { payload: { readonly otp: string }; answer: undefined }
  UPDATE_EMAIL_SECONDARY_OTP: { payload: { readonly otp: string }; answer: { readonly newEmail: string } }
  SYNC_THEME: {
    payload: {
      readonly themeMode?: 'light' | 'dark'
      readonly themeVariables?: Readonly<Record<string, string>>
      readonly w3mThemeVariables?: Readonly<Record<string, string>>
    }
    answer: undefined
  }
  SYNC_DAPP_DATA: {
    payload: {
      readonly metadata?: FrameMetadata
      readonly sdkVersion?: string
      readonly sdkType?: string
      readonly projectId: string
      /** The language of the page's modal (BCP 47). */
      readonly language?: string
    }
    answer: undefined
  }
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    payload: undefined
    answer: { readonly smartAccountEnabledNetworks: readonly number[] }
  }
  INIT_SMART_ACCOUNT: { payload: undefined; answer: { readonly address: string; readonly isDeployed: boolean } }
  SET_PREFERRED_ACCOUNT: {
    payload: { readonly type: FrameAccountType }
    answer: { readonly type: FrameAccountType; readonly address: string }
  }
  RELOAD: { payload: undefined; answer: undefined }
  /** Gives up what waits for the visitor. With `id`, only that request. */
  RPC_ABORT: { payload: { readonly id?: string } | undefined; answer: undefined }
  /** Opens one of the frame's own screens; answered when the visitor is done with it. */
  OPEN_SCREEN: { payload: { readonly screen: 'recovery' | 'devices' }; answer: undefined }
}

export type FrameRequestName = keyof FrameRequests

/** What the frame says unasked. */
export type FrameNews = {
  /** The frame listens. */
  READY: { readonly version?: string }
  /** Whether the frame has something to show that only the visitor can answer, and how high it would like to be, in pixels. */
  SCREEN: { readonly open: boolean; readonly height?: number }
  /** The login ended, or its accounts changed, without this page having asked. */
  CHANGED: { readonly isConnected: boolean }
  /** The provider said who it is: its window is not needed any more, while the wallet is made or opened. */
  OPENING: Readonly<Record<never, never>>
}

export type FrameNewsName = keyof FrameNews

/** A page's message. */
export type FrameRequest = {
  [name in FrameRequestName]: {
    readonly name: name
    readonly id: string
    readonly payload: FrameRequests[name]['payload']
  }
}[FrameRequestName]

/** How long a page waits for the frame, in milliseconds [R9.1.2]. */
export const frameTimes = {
  /** For e-mail, device, code and social. */
  login: 30_000,
  /** On top of that, from the frame's READY until it is asked. */
  settle: 500,
  ready: 20_000,
  signOut: 3_000,
  /** Between two mails to one address [R9.1.1]. */
  mailCooldown: 30_000,
} as const

/** The limits of a message: beyond them it is not even looked at. */
export const frameLimits: Readonly<Record<'bytes' | 'depth' | 'open' | 'perSecond' | 'burst' | 'id', number>> = {
  bytes: 64 * 1_024,
  depth: 16,
  open: 32,
  perSecond: 20,
  burst: 40,
  id: 64,
}
