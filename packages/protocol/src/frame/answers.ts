import {
  anything,
  BadField,
  chain,
  fields,
  listOf,
  maybe,
  nothing,
  oneOf,
  size,
  text,
  truth,
  type Field,
} from './fields.ts'
import type {
  EmailAction,
  FrameNews,
  FrameNewsName,
  FrameRequestName,
  FrameRequests,
  FrameUser,
  UpdateEmailAction,
} from './messages.ts'
import { copyPlain, type Plain } from './plain.ts'
import { accountType, isFrameRequestName, own } from './requests.ts'

const prefix = '@w3m-frame/'

/** Answers may carry blocks and logs of a chain. */
const limits = { bytes: 16 * 1_024 * 1_024, depth: 32 }

const address = text(128, /^[a-zA-Z0-9]+$/)
const smallText = text(320)
const digits = text(8, /^\d+$/)
const user: Field<FrameUser> = fields({
  email: maybe(smallText),
  userName: maybe(smallText),
  address,
  chainId: chain,
  smartAccountDeployed: maybe(truth),
  accounts: maybe(listOf(fields({ type: accountType, address }), 8)),
  preferredAccountType: maybe(accountType),
})

const answers: { readonly [name in FrameRequestName]: Field<FrameRequests[name]['answer']> } = {
  SWITCH_NETWORK: fields({ chainId: chain }),
  CONNECT_EMAIL: fields({
    action: oneOf<EmailAction>(['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']),
    match: maybe(digits),
  }),
  CONNECT_DEVICE: nothing,
  CONNECT_OTP: nothing,
  GET_SOCIAL_REDIRECT_URI: fields({ uri: text(8_192), match: maybe(digits) }),
  CONNECT_SOCIAL: user,
  GET_FARCASTER_URI: fields({ url: text(8_192) }),
  CONNECT_FARCASTER: fields({ userName: smallText }),
  GET_USER: user,
  IS_CONNECTED: fields({ isConnected: truth }),
  GET_CHAIN_ID: fields({ chainId: chain }),
  SIGN_OUT: nothing,
  RPC_REQUEST: anything,
  UPDATE_EMAIL: fields({ action: oneOf<UpdateEmailAction>(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
  UPDATE_EMAIL_PRIMARY_OTP: nothing,
  UPDATE_EMAIL_SECONDARY_OTP: fields({ newEmail: smallText }),
  SYNC_THEME: nothing,
  SYNC_DAPP_DATA: nothing,
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: fields({ smartAccountEnabledNetworks: listOf(size, 256) }),
  INIT_SMART_ACCOUNT: fields({ address, isDeployed: truth }),
  SET_PREFERRED_ACCOUNT: fields({ type: accountType, address }),
  RELOAD: nothing,
  RPC_ABORT: nothing,
  OPEN_SCREEN: nothing,
}

const news: { readonly [name in FrameNewsName]: Field<FrameNews[name]> } = {
  READY: (found, name) => (found === undefined ? {} : fields({ version: maybe(smallText) })(found, name)),
  SCREEN: fields({ open: truth, height: maybe(size) }),
  CHANGED: fields({ isConnected: truth }),
  OPENING: fields({}),
}

type Answered = {
  [name in FrameRequestName]: {
    readonly kind: 'answer'
    readonly name: name
    readonly id: string
    readonly payload: FrameRequests[name]['answer']
  }
}[FrameRequestName]

type Told = {
  [name in FrameNewsName]: { readonly kind: 'news'; readonly name: name; readonly payload: FrameNews[name] }
}[FrameNewsName]

/** What a refusal is besides a message. */
export type FrameRefusal = {
  /** As EIP-1193 numbers what a wallet refuses. */
  readonly code?: number | undefined
  /** The message in the visitor's language, where the frame has it in that. */
  readonly said?: string | undefined
}

/** What the frame says to the page, as the page read it. */
export type FrameMessage =
  | Answered
  | ({ readonly kind: 'error'; readonly name: FrameRequestName; readonly id: string; message: string } & FrameRefusal)
  /** An answer to one's own question that makes no sense. */
  | { readonly kind: 'invalid'; readonly name: FrameRequestName; readonly id: string }
  | Told

/**
 * Reads what the frame says to the page.
 *
 * @param data a message's data as it came; that it is of the frame's window and origin is the caller's to have checked
 * @returns undefined for what is none, and for news that make no sense
 * @example
 * const message = readFrameMessage(event.data)
 * if (message?.kind === 'news' && message.name === 'READY') begin()
 */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  const type = own(data, 'type')
  if (typeof type !== 'string' || !type.startsWith(prefix)) return undefined
  const word = type.slice(prefix.length)
  const given = own(data, 'payload')
  const payload = given === undefined ? undefined : copyPlain(given, limits)
  const isUnreadable = given !== undefined && payload === undefined
  if (isNewsName(word)) return isUnreadable ? undefined : readNews(word, payload)
  const [, name = '', outcome] = /^([A-Z0-9_]+)_(SUCCESS|ERROR)$/.exec(word) ?? []
  const id = own(data, 'id')
  if (!isFrameRequestName(name) || typeof id !== 'string') return undefined
  if (isUnreadable) return { kind: 'invalid', name, id }
  return outcome === 'ERROR' ? readError(name, id, payload) : readAnswer(name, id, payload)
}

function readNews(name: FrameNewsName, payload: Plain | undefined): FrameMessage | undefined {
  // The table has, for each name, the reader of this name's payload.
  return attempt(() => ({ kind: 'news', name, payload: news[name](payload, 'payload') }) as Told)
}

function readAnswer(name: FrameRequestName, id: string, payload: Plain | undefined): FrameMessage {
  // The table has, for each name, the reader of this name's payload.
  const answer = attempt(() => ({ kind: 'answer', name, id, payload: answers[name](payload, 'payload') }) as Answered)
  return answer ?? { kind: 'invalid', name, id }
}

const problem = fields({ message: maybe(text(2_048)), code: maybe(anything), said: maybe(text(2_048)) })

function readError(name: FrameRequestName, id: string, payload: Plain | undefined): FrameMessage {
  const { message = 'An error occurred', code, said } = attempt(() => problem(payload, 'payload')) ?? {}
  return { kind: 'error', name, id, message, ...(typeof code === 'number' && { code }), ...(said && { said }) }
}

function attempt<read>(reading: () => read): read | undefined {
  try {
    return reading()
  } catch (error) {
    if (error instanceof BadField) return undefined
    throw error
  }
}

function isNewsName(name: string): name is FrameNewsName {
  return Object.hasOwn(news, name)
}

type Asked<name extends FrameRequestName> = { readonly id: string; readonly name: name }

/**
 * Writes the frame's answer to a request.
 *
 * @example reply(frameAnswer(request, { isConnected: true }))
 */
export function frameAnswer<name extends FrameRequestName>(
  { id, name }: Asked<name>,
  payload: FrameRequests[name]['answer'],
): { type: string; id: string; payload?: unknown } {
  return { type: `${prefix}${name}_SUCCESS`, id, ...(payload !== undefined && { payload }) }
}

/** Writes that a request came to nothing, and why. */
export function frameError(
  { id, name }: Asked<FrameRequestName>,
  message: string,
  { code, said }: FrameRefusal = {},
): { type: string; id: string; payload: { message: string } & FrameRefusal } {
  return {
    type: `${prefix}${name}_ERROR`,
    id,
    payload: { message, ...(code !== undefined && { code }), ...(said !== undefined && { said }) },
  }
}

/** Writes what the frame says unasked. */
export function frameNews<name extends FrameNewsName>(
  name: name,
  payload: FrameNews[name],
): { type: string; payload: FrameNews[name] } {
  return { type: prefix + name, payload }
}
