import { namespaces } from '../namespaces.ts'
import {
  anything,
  BadField,
  chain,
  fields,
  listOf,
  maybe,
  nothing,
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
} from './messages.ts'
import { copyPlain, type Plain } from './plain.ts'

const prefix = '@w3m-app/'
const printable = /^[\x21-\x7e]{1,64}$/

export const accountType: Field<FrameAccountType> = oneOf<FrameAccountType>(['eoa', 'smartAccount'])

const email = text(254, /^[^\s@]+@[^\s@]+$/)
const code = text(32, /^[\x21-\x7e]+$/)
const userOptions = fields({ chainId: maybe(chain), preferredAccountType: maybe(accountType) })

const payloads: { readonly [name in FrameRequestName]: Field<FrameRequests[name]['payload']> } = {
  SWITCH_NETWORK: fields({ chainId: chain }),
  CONNECT_EMAIL: fields({ email }),
  CONNECT_DEVICE: nothing,
  CONNECT_OTP: fields({ otp: code }),
  GET_SOCIAL_REDIRECT_URI: fields({ provider: oneOf(frameSocials) }),
  CONNECT_SOCIAL: fields({
    uri: maybe(text(8_192)),
    chainId: maybe(chain),
    preferredAccountType: maybe(accountType),
  }),
  GET_FARCASTER_URI: nothing,
  CONNECT_FARCASTER: nothing,
  GET_USER: maybe(userOptions),
  IS_CONNECTED: nothing,
  GET_CHAIN_ID: nothing,
  SIGN_OUT: nothing,
  RPC_REQUEST: fields({
    method: text(64, /^[a-zA-Z0-9_]+$/),
    params: anything,
    chainNamespace: maybe(oneOf(namespaces)),
    chainId: maybe(chain),
  }),
  UPDATE_EMAIL: fields({ email }),
  UPDATE_EMAIL_PRIMARY_OTP: fields({ otp: code }),
  UPDATE_EMAIL_SECONDARY_OTP: fields({ otp: code }),
  SYNC_THEME: fields({
    themeMode: maybe(oneOf(['light', 'dark'])),
    themeVariables: maybe(textsByName(64, 256)),
    w3mThemeVariables: maybe(textsByName(64, 256)),
  }),
  SYNC_DAPP_DATA: fields({
    metadata: maybe(
      fields({
        name: maybe(text(256)),
        description: maybe(text(1_024)),
        url: maybe(text(2_048)),
        icons: maybe(listOf(text(2_048), 8)),
      }),
    ),
    sdkVersion: maybe(text(64)),
    sdkType: maybe(text(64)),
    projectId: text(64),
    language: maybe(text(35, /^[a-zA-Z0-9-]+$/)),
  }),
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: nothing,
  INIT_SMART_ACCOUNT: nothing,
  SET_PREFERRED_ACCOUNT: fields({ type: accountType }),
  RELOAD: nothing,
  RPC_ABORT: maybe(fields({ id: maybe(text(frameLimits.id, printable)) })),
  OPEN_SCREEN: fields({ screen: oneOf(['recovery', 'devices']) }),
}

/** A page's message that asks for something that cannot be: it is answered with what is wrong. */
export type BadFrameRequest = { readonly id: string; readonly name: FrameRequestName; readonly problem: string }

/**
 * Reads what a page says to the frame. The type has to be one of the list to the letter, each field of its form; fields
 * that nobody knows are left behind, as are `token` and `rpcUrl`, which older pages send.
 *
 * @param data a message's data as it came; its origin is the caller's to have checked
 * @returns the request; what is wrong with it; undefined for what is none or cannot be answered (another's message, a
 *   name that nobody knows, no usable id)
 * @example
 * const request = readFrameRequest(event.data)
 * if (request !== undefined && 'problem' in request) reply(frameError(request, request.problem))
 */
export function readFrameRequest(data: unknown): FrameRequest | BadFrameRequest | undefined {
  const name = nameOf(own(data, 'type'))
  const id = own(data, 'id')
  if (name === undefined || typeof id !== 'string' || !printable.test(id)) return undefined
  const given = own(data, 'payload')
  const payload = given === undefined ? undefined : copyPlain(given, frameLimits)
  if (given !== undefined && payload === undefined) {
    return { id, name, problem: 'The message is too large, too deep, or not made of plain values.' }
  }
  return readPayload(name, id, payload)
}

function readPayload(name: FrameRequestName, id: string, payload: Plain | undefined): FrameRequest | BadFrameRequest {
  try {
    // The table has, for each name, the reader of this name's payload.
    return { name, id, payload: payloads[name](payload, 'payload') } as FrameRequest
  } catch (error) {
    if (error instanceof BadField) return { id, name, problem: error.message }
    throw error
  }
}

/**
 * Writes what a page says to the frame.
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

export function isFrameRequestName(name: string): name is FrameRequestName {
  return Object.hasOwn(payloads, name)
}

function nameOf(type: unknown): FrameRequestName | undefined {
  if (typeof type !== 'string' || !type.startsWith(prefix)) return undefined
  const name = type.slice(prefix.length)
  return isFrameRequestName(name) ? name : undefined
}

/** A property of its own, read without running anything of the stranger's. */
export function own(data: unknown, key: string): unknown {
  if (typeof data !== 'object' || data === null) return undefined
  return Object.getOwnPropertyDescriptor(data, key)?.value
}
