import {
  unknownField,
  InvalidFieldError,
  chain,
  fields,
  listOf,
  optional,
  undefinedField,
  oneOf,
  size,
  text,
  boolean,
  type Field,
} from './fields.ts'
import type {
  EmailAction,
  FrameEvents,
  FrameEventName,
  FrameRequestName,
  FrameRequests,
  FrameUser,
  UpdateEmailAction,
} from './frameRequests.ts'
import { copyPlain, type Plain } from './copyPlain.ts'
import { accountType, isFrameRequestName, getOwnField } from './parseFrameRequest.ts'

const prefix = '@w3m-frame/'

/** Responses may contain blocks and logs of a chain. */
const limits = { bytes: 16 * 1_024 * 1_024, depth: 32 }

const address = text(128, /^[a-zA-Z0-9]+$/)
const smallText = text(320)
const digits = text(8, /^\d+$/)
const user: Field<FrameUser> = fields({
  email: optional(smallText),
  userName: optional(smallText),
  address,
  chainId: chain,
  smartAccountDeployed: optional(boolean),
  accounts: optional(listOf(fields({ type: accountType, address }), 8)),
  preferredAccountType: optional(accountType),
})

const responses: { readonly [name in FrameRequestName]: Field<FrameRequests[name]['response']> } = {
  SWITCH_NETWORK: fields({ chainId: chain }),
  CONNECT_EMAIL: fields({
    action: oneOf<EmailAction>(['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']),
    match: optional(digits),
  }),
  CONNECT_DEVICE: undefinedField,
  CONNECT_OTP: undefinedField,
  GET_SOCIAL_REDIRECT_URI: fields({ uri: text(8_192), match: optional(digits) }),
  CONNECT_SOCIAL: user,
  GET_FARCASTER_URI: fields({ url: text(8_192) }),
  CONNECT_FARCASTER: fields({ userName: smallText }),
  GET_USER: user,
  IS_CONNECTED: fields({ isConnected: boolean }),
  GET_CHAIN_ID: fields({ chainId: chain }),
  SIGN_OUT: undefinedField,
  RPC_REQUEST: unknownField,
  UPDATE_EMAIL: fields({ action: oneOf<UpdateEmailAction>(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
  UPDATE_EMAIL_PRIMARY_OTP: undefinedField,
  UPDATE_EMAIL_SECONDARY_OTP: fields({ newEmail: smallText }),
  SYNC_THEME: undefinedField,
  SYNC_DAPP_DATA: undefinedField,
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: fields({ smartAccountEnabledNetworks: listOf(size, 256) }),
  INIT_SMART_ACCOUNT: fields({ address, isDeployed: boolean }),
  SET_PREFERRED_ACCOUNT: fields({ type: accountType, address }),
  RELOAD: undefinedField,
  RPC_ABORT: undefinedField,
  OPEN_SCREEN: undefinedField,
}

const events: { readonly [name in FrameEventName]: Field<FrameEvents[name]> } = {
  READY: (found, name) => (found === undefined ? {} : fields({ version: optional(smallText) })(found, name)),
  SCREEN: fields({ open: boolean, height: optional(size) }),
  CHANGED: fields({ isConnected: boolean }),
  OPENING: fields({}),
}

type FrameResponse = {
  [name in FrameRequestName]: {
    readonly kind: 'response'
    readonly name: name
    readonly id: string
    readonly payload: FrameRequests[name]['response']
  }
}[FrameRequestName]

type FrameEvent = {
  [name in FrameEventName]: { readonly kind: 'event'; readonly name: name; readonly payload: FrameEvents[name] }
}[FrameEventName]

/** Additional fields of an error response. */
export type FrameErrorDetails = {
  /** An EIP-1193 error code. */
  readonly code?: number | undefined
  /** The message in the user's language, if available. */
  readonly localizedMessage?: string | undefined
}

/** A parsed message of the frame. */
export type FrameMessage =
  | FrameResponse
  | ({
      readonly kind: 'error'
      readonly name: FrameRequestName
      readonly id: string
      message: string
    } & FrameErrorDetails)
  /** An invalid response to a request of this page. */
  | { readonly kind: 'invalid'; readonly name: FrameRequestName; readonly id: string }
  | FrameEvent

/**
 * Parses a message that the frame sent to the page.
 *
 * @param data the unparsed data of a message; the caller must have checked its window and origin
 * @returns the message, or `undefined` if it is not a frame message or is an invalid event
 * @example
 * window.addEventListener('message', ({ data }) => {
 *   const message = parseFrameMessage(data)
 *   if (message?.kind === 'event' && message.name === 'READY') show()
 * })
 */
export function parseFrameMessage(data: unknown): FrameMessage | undefined {
  const type = getOwnField(data, 'type')
  if (typeof type !== 'string' || !type.startsWith(prefix)) return undefined
  const suffix = type.slice(prefix.length)
  const rawPayload = getOwnField(data, 'payload')
  const payload = rawPayload === undefined ? undefined : copyPlain(rawPayload, limits)
  const isInvalid = rawPayload !== undefined && payload === undefined
  if (isFrameEventName(suffix)) return isInvalid ? undefined : parseEvent(suffix, payload)
  const [, name = '', outcome] = /^([A-Z0-9_]+)_(SUCCESS|ERROR)$/.exec(suffix) ?? []
  const id = getOwnField(data, 'id')
  if (!isFrameRequestName(name) || typeof id !== 'string') return undefined
  if (isInvalid) return { kind: 'invalid', name, id }
  return outcome === 'ERROR' ? parseErrorResponse(name, id, payload) : parseResponse(name, id, payload)
}

function parseEvent(name: FrameEventName, payload: Plain | undefined): FrameMessage | undefined {
  // The table maps each name to the parser of its payload.
  return tryParse(() => ({ kind: 'event', name, payload: events[name](payload, 'payload') }) as FrameEvent)
}

function parseResponse(name: FrameRequestName, id: string, payload: Plain | undefined): FrameMessage {
  // The table maps each name to the parser of its payload.
  const response = tryParse(
    () => ({ kind: 'response', name, id, payload: responses[name](payload, 'payload') }) as FrameResponse,
  )
  return response ?? { kind: 'invalid', name, id }
}

const errorPayload = fields({
  message: optional(text(2_048)),
  code: optional(unknownField),
  localizedMessage: optional(text(2_048)),
})

function parseErrorResponse(name: FrameRequestName, id: string, payload: Plain | undefined): FrameMessage {
  const {
    message = 'An error occurred',
    code,
    localizedMessage,
  } = tryParse(() => errorPayload(payload, 'payload')) ?? {}
  return {
    kind: 'error',
    name,
    id,
    message,
    ...(typeof code === 'number' && { code }),
    ...(localizedMessage && { localizedMessage }),
  }
}

function tryParse<parsed>(parse: () => parsed): parsed | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof InvalidFieldError) return undefined
    throw error
  }
}

function isFrameEventName(name: string): name is FrameEventName {
  return Object.hasOwn(events, name)
}

type RequestId<name extends FrameRequestName> = { readonly id: string; readonly name: name }

/**
 * Creates the frame's response to a request.
 *
 * @example const message = frameResponse({ id: '1', name: 'IS_CONNECTED' }, { isConnected: true })
 */
export function frameResponse<name extends FrameRequestName>(
  { id, name }: RequestId<name>,
  payload: FrameRequests[name]['response'],
): { type: string; id: string; payload?: unknown } {
  return { type: `${prefix}${name}_SUCCESS`, id, ...(payload !== undefined && { payload }) }
}

/**
 * Creates the frame's error response to a request.
 *
 * @example const message = frameError({ id: '1', name: 'RPC_REQUEST' }, 'The user declined.', { code: 4001 })
 */
export function frameError(
  { id, name }: RequestId<FrameRequestName>,
  message: string,
  { code, localizedMessage }: FrameErrorDetails = {},
): { type: string; id: string; payload: { message: string } & FrameErrorDetails } {
  return {
    type: `${prefix}${name}_ERROR`,
    id,
    payload: {
      message,
      ...(code !== undefined && { code }),
      ...(localizedMessage !== undefined && { localizedMessage }),
    },
  }
}

/**
 * Creates an event of the frame.
 *
 * @example port.postMessage(frameEvent('READY', {}))
 */
export function frameEvent<name extends FrameEventName>(
  name: name,
  payload: FrameEvents[name],
): { type: string; payload: FrameEvents[name] } {
  return { type: prefix + name, payload }
}
