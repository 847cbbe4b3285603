import { isLatchkeyError, LatchkeyError, type ErrorCode, type ErrorContexts } from '@latchkey/protocol'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import type { KeyHolder } from './keyHolder.ts'

/** One end of the channel between a page and the key holder's worker. */
export type HolderPort = {
  postMessage(message: unknown, transfer?: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  /** Ports of a MessageChannel receive nothing before `start`. */
  start?(): void
}

type Verb = keyof KeyHolder

type Call = { readonly call: number; readonly verb: Verb; readonly args: readonly unknown[] }
type Reply = { readonly reply: number; readonly value?: unknown; readonly failure?: Failure }

/**
 * The part of an error that crosses the channel: what screens distinguish, and the message. Causes stay in the worker.
 */
type Failure = {
  readonly message: string
  readonly code?: ErrorCode
  readonly context?: ErrorContexts[ErrorCode]
  readonly status?: number
  readonly field?: string
}

/** All methods. The type checks that none is missing, and nothing else can be called. */
const verbs: { readonly [verb in Verb]: true } = {
  restore: true,
  sendCode: true,
  awaitDevice: true,
  redeem: true,
  recoverWith: true,
  beginSocial: true,
  acceptLogin: true,
  awaitProvider: true,
  awaitSocial: true,
  beginFarcaster: true,
  awaitFarcaster: true,
  awaitApproval: true,
  createDevicePasskeyRequest: true,
  approveDeviceByPasskey: true,
  approveDevice: true,
  updateEmail: true,
  updateEmailPrimary: true,
  awaitNewAddress: true,
  updateEmailSecondary: true,
  setLanguage: true,
  signOut: true,
  lock: true,
  sign: true,
  recoveryMethods: true,
  recoveryStatus: true,
  rehearseRecovery: true,
  addPassword: true,
  createPasskeyRequest: true,
  addPasskey: true,
  provePasskey: true,
  removeRecoveryMethod: true,
  devices: true,
  revokeDevice: true,
  signOutOthers: true,
  waitingDevices: true,
  approveWaitingDevice: true,
  stopWaitingDevice: true,
  reveal: true,
  recoveryFile: true,
  policy: true,
  savePolicy: true,
  requestSecondDevice: true,
  checkSecondDevice: true,
  exceededRule: true,
  secondDeviceRequests: true,
  decideForDevice: true,
  sealPermissionOrigin: true,
  openPermissionOrigins: true,
  requestDeletion: true,
  cancelDeletion: true,
}

/**
 * Creates a client for a key holder at the other end of a port.
 *
 * @returns a holder whose methods reject with LatchkeyError, ServiceRefusal, or an Error with a message for the user
 * @example const holder = createHolderClient(worker)
 */
export function createHolderClient(port: HolderPort): KeyHolder {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let calls = 0
  port.addEventListener('message', ({ data }) => {
    const { reply, value, failure } = data as Reply
    const waiting = open.get(reply)
    if (waiting === undefined) return
    open.delete(reply)
    if (failure === undefined) waiting.resolve(value)
    else waiting.reject(fromFailure(failure))
  })
  port.start?.()
  const callers = Object.keys(verbs).map((verb) => [
    verb,
    (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const call = ++calls
        open.set(call, { resolve, reject })
        port.postMessage({ call, verb, args })
      }),
  ])
  // The table has exactly the methods of a KeyHolder.
  return Object.fromEntries(callers) as KeyHolder
}

/** Serves the calls of a page with the worker's key holder. */
export function serveHolder(port: HolderPort, holder: Promise<KeyHolder>): void {
  port.addEventListener('message', ({ data }) => {
    const { call, verb, args } = data as Call
    if (typeof call !== 'number' || !Object.hasOwn(verbs, verb)) return
    void runAction(async () => Reflect.apply((await holder)[verb], await holder, [...args]))
      .then((settled) => ({ reply: call, ...settled }))
      .then((reply: Reply) => port.postMessage(reply))
  })
  port.start?.()
}

async function runAction(act: () => Promise<unknown>): Promise<Omit<Reply, 'reply'>> {
  try {
    return { value: await act() }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

function toFailure(error: unknown): Failure {
  if (isLatchkeyError(error)) return { message: error.message, code: error.code, context: error.context }
  if (error instanceof ServiceRefusal) return { message: error.message, status: error.status, field: error.field }
  // Messages of libraries may contain their input.
  return { message: 'Something went wrong' }
}

function fromFailure({ message, code, context, status, field }: Failure): Error {
  // Code and context come from one error.
  if (code !== undefined && context !== undefined) return new LatchkeyError(code, context, { sentence: message })
  if (status !== undefined && field !== undefined) return new ServiceRefusal(status, field, message)
  return new Error(message)
}
