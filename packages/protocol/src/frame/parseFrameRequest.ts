import { namespaces } from '../namespaces.ts'
import {
  unknownField,
  InvalidFieldError,
  chain,
  fields,
  listOf,
  optional,
  undefinedField,
  oneOf,
  text,
  textsByName,
  type Field,
} from './fields.ts'
import {
  frameLimits,
  frameSocials,
  type FrameAccountType,
  type FrameRequest,
  type FrameRequestName,
  type FrameRequests,
} from './frameRequests.ts'
import { copyPlain, type Plain } from './copyPlain.ts'

const prefix = '@w3m-app/'
const printable = /^[\x21-\x7e]{1,64}$/

export const accountType: Field<FrameAccountType> = oneOf<FrameAccountType>(['eoa', 'smartAccount'])

const email = text(254, /^[^\s@]+@[^\s@]+$/)
const code = text(32, /^[\x21-\x7e]+$/)
const userOptions = fields({ chainId: optional(chain), preferredAccountType: optional(accountType) })

const payloads: { readonly [name in FrameRequestName]: Field<FrameRequests[name]['payload']> } = {
  SWITCH_NETWORK: fields({ chainId: chain }),
  CONNECT_EMAIL: fields({ email }),
  CONNECT_DEVICE: undefinedField,
  CONNECT_OTP: fields({ otp: code }),
  GET_SOCIAL_REDIRECT_URI: fields({ provider: oneOf(frameSocials) }),
  CONNECT_SOCIAL: fields({
    uri: optional(text(8_192)),
    chainId: optional(chain),
    preferredAccountType: optional(accountType),
  }),
  GET_FARCASTER_URI: undefinedField,
  CONNECT_FARCASTER: undefinedField,
  GET_USER: optional(userOptions),
  IS_CONNECTED: undefinedField,
  GET_CHAIN_ID: undefinedField,
  SIGN_OUT: undefinedField,
  RPC_REQUEST: fields({
    method: text(64, /^[a-zA-Z0-9_]+$/),
    params: unknownField,
    chainNamespace: optional(oneOf(namespaces)),
    chainId: optional(chain),
  }),
  UPDATE_EMAIL: fields({ email }),
  UPDATE_EMAIL_PRIMARY_OTP: fields({ otp: code }),
  UPDATE_EMAIL_SECONDARY_OTP: fields({ otp: code }),
  SYNC_THEME: fields({
    themeMode: optional(oneOf(['light', 'dark'])),
    themeVariables: optional(textsByName(64, 256)),
    w3mThemeVariables: optional(textsByName(64, 256)),
  }),
  SYNC_DAPP_DATA: fields({
    metadata: optional(
      fields({
        name: optional(text(256)),
        description: optional(text(1_024)),
        url: optional(text(2_048)),
        icons: optional(listOf(text(2_048), 8)),
      }),
    ),
    sdkVersion: optional(text(64)),
    sdkType: optional(text(64)),
    projectId: text(64),
    language: optional(text(35, /^[a-zA-Z0-9-]+$/)),
  }),
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: undefinedField,
  INIT_SMART_ACCOUNT: undefinedField,
  SET_PREFERRED_ACCOUNT: fields({ type: accountType }),
  RELOAD: undefinedField,
  RPC_ABORT: optional(fields({ id: optional(text(frameLimits.id, printable)) })),
  OPEN_SCREEN: fields({ screen: oneOf(['recovery', 'devices', 'policy']) }),
}

/** An invalid request of a page. `problem` is the error message of the response. */
export type InvalidFrameRequest = { readonly id: string; readonly name: FrameRequestName; readonly problem: string }

/**
 * Parses a request that a page sent to the frame. The type must match exactly, and each field must be valid. Unknown
 * fields are dropped, including `token` and `rpcUrl` of older pages.
 *
 * @param data the unparsed data of a message; the caller must have checked its origin
 * @returns the request, an invalid request with its problem, or `undefined` if the message is not a request or cannot be
 *   handled (another library's message, unknown name, no valid id)
 * @example
 * window.addEventListener('message', ({ data }) => {
 *   const request = parseFrameRequest(data)
 *   if (request !== undefined && 'problem' in request) show(request.problem)
 * })
 */
export function parseFrameRequest(data: unknown): FrameRequest | InvalidFrameRequest | undefined {
  const name = requestNameOf(getOwnField(data, 'type'))
  const id = getOwnField(data, 'id')
  if (name === undefined || typeof id !== 'string' || !printable.test(id)) return undefined
  const given = getOwnField(data, 'payload')
  const payload = given === undefined ? undefined : copyPlain(given, frameLimits)
  if (given !== undefined && payload === undefined) {
    return { id, name, problem: 'The message is too large, too deep, or not made of plain values.' }
  }
  return readPayload(name, id, payload)
}

function readPayload(
  name: FrameRequestName,
  id: string,
  payload: Plain | undefined,
): FrameRequest | InvalidFrameRequest {
  try {
    // The table maps each name to the parser of its payload.
    return { name, id, payload: payloads[name](payload, 'payload') } as FrameRequest
  } catch (error) {
    if (error instanceof InvalidFieldError) return { id, name, problem: error.message }
    throw error
  }
}

/**
 * Creates a request to the frame.
 *
 * @example port.postMessage(frameRequest('CONNECT_EMAIL', crypto.randomUUID(), { email }))
 */
export function frameRequest<name extends FrameRequestName>(
  name: name,
  id: string,
  payload: FrameRequests[name]['payload'],
): { type: string; id: string; payload?: FrameRequests[name]['payload'] } {
  return { type: prefix + name, id, ...(payload !== undefined && { payload }) }
}

/** True for the name of a request of the frame protocol, without the prefix of its type. */
export function isFrameRequestName(name: string): name is FrameRequestName {
  return Object.hasOwn(payloads, name)
}

function requestNameOf(type: unknown): FrameRequestName | undefined {
  if (typeof type !== 'string' || !type.startsWith(prefix)) return undefined
  const name = type.slice(prefix.length)
  return isFrameRequestName(name) ? name : undefined
}

/** Reads an own property without running getters of untrusted data. */
export function getOwnField(data: unknown, key: string): unknown {
  if (typeof data !== 'object' || data === null) return undefined
  return Object.getOwnPropertyDescriptor(data, key)?.value
}
