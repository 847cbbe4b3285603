/** The relay properties of a response. */
export type ResponseSettings = {
  readonly responseTag: number
  /** Seconds. */
  readonly ttl: number
}

/** The relay properties of a Sign method: tags, TTL, and whether it may wake a phone. */
export type SignMethodSettings = ResponseSettings & { readonly requestTag: number; readonly prompt: boolean }

/** The methods of the pairing and Sign protocols, sent inside envelopes. */
export type SignMethod =
  | 'wc_pairingDelete'
  | 'wc_pairingPing'
  | 'wc_pairingExtend'
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
  wc_pairingDelete: { requestTag: 1000, responseTag: 1001, ttl: 86_400, prompt: false },
  wc_pairingPing: { requestTag: 1002, responseTag: 1003, ttl: 30, prompt: false },
  // The specification gives no TTL. A pairing does not live longer.
  wc_pairingExtend: { requestTag: 1004, responseTag: 1005, ttl: 300, prompt: false },
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

/** The rejections of a proposal by the user, and by the wallet without asking the user. */
export const proposalRejections = {
  user: { responseTag: 1120, ttl: 300 },
  wallet: { responseTag: 1121, ttl: 300 },
} as const

/** The rejections of a sign-in by the user, and by the wallet without asking the user. */
export const authenticateRejections = {
  user: { responseTag: 1118, ttl: 300 },
  wallet: { responseTag: 1119, ttl: 300 },
} as const

/** The response to an unknown method. */
export const unknownMethod = { responseTag: 0, ttl: 86_400 } as const

/** True for a method of the Sign protocol, for example `wc_sessionPropose`. */
export function isSignMethod(value: string): value is SignMethod {
  return Object.hasOwn(signMethods, value)
}
