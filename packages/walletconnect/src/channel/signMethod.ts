/** The relay properties of a Sign method: tags, TTL, and whether it may wake a phone. */
export type SignMethodSettings = {
  readonly requestTag: number
  readonly responseTag: number
  /** Seconds. */
  readonly ttl: number
  readonly prompt: boolean
}

/** The methods of the Sign protocol, sent inside envelopes. */
export type SignMethod =
  | 'wc_sessionPropose'
  | 'wc_sessionSettle'
  | 'wc_sessionUpdate'
  | 'wc_sessionExtend'
  | 'wc_sessionRequest'
  | 'wc_sessionEvent'
  | 'wc_sessionDelete'
  | 'wc_sessionPing'
  | 'wc_sessionAuthenticate'

export const signMethods: Readonly<Record<SignMethod, SignMethodSettings>> = {
  wc_sessionPropose: { requestTag: 1100, responseTag: 1101, ttl: 300, prompt: true },
  wc_sessionSettle: { requestTag: 1102, responseTag: 1103, ttl: 300, prompt: false },
  wc_sessionUpdate: { requestTag: 1104, responseTag: 1105, ttl: 86_400, prompt: false },
  wc_sessionExtend: { requestTag: 1106, responseTag: 1107, ttl: 86_400, prompt: false },
  wc_sessionRequest: { requestTag: 1108, responseTag: 1109, ttl: 900, prompt: true },
  wc_sessionEvent: { requestTag: 1110, responseTag: 1111, ttl: 300, prompt: true },
  wc_sessionDelete: { requestTag: 1112, responseTag: 1113, ttl: 86_400, prompt: false },
  wc_sessionPing: { requestTag: 1114, responseTag: 1115, ttl: 30, prompt: false },
  wc_sessionAuthenticate: { requestTag: 1116, responseTag: 1117, ttl: 3600, prompt: true },
}

/**
 * Returns the longest TTL of a message by its tag, in seconds. Senders of session requests choose the TTL, and unknown
 * tags may mean anything: relays accept a week at most.
 */
export function longestTtl(tag: number | undefined): number {
  const isShort = tag !== undefined && tag >= 1100 && tag <= 1103
  return isShort ? signMethods.wc_sessionPropose.ttl : 604_800
}

/** The tags of a proposal's rejection by the user, and by the wallet without asking the user. */
export const proposalRejectionTags = { user: 1120, wallet: 1121 } as const

/** The tags of a sign-in's rejection by the user, and by the wallet without asking the user. */
export const authenticateRejectionTags = { user: 1118, wallet: 1119 } as const

/** The relay properties of the response to an unknown method. */
export const unknownMethod = { responseTag: 0, ttl: 86_400 } as const

export function isSignMethod(value: string): value is SignMethod {
  return Object.hasOwn(signMethods, value)
}
