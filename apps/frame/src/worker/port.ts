import { isLatchkeyError, LatchkeyError, type ErrorCode, type Errors } from '@latchkey/protocol'
import { ServiceRefusal } from '../services/ask.ts'
import type { KeyHolder } from './keyHolder.ts'

/** Either end of the way between a page of this site and its worker. */
export type HolderPort = {
  postMessage(message: unknown, transfer?: Transferable[]): void
  addEventListener(type: 'message', heard: (event: MessageEvent<unknown>) => void): void
  /** Ports that were made by hand listen from here on only. */
  start?(): void
}

type Verb = keyof KeyHolder

type Call = { readonly call: number; readonly verb: Verb; readonly args: readonly unknown[] }
type Reply = { readonly reply: number; readonly value?: unknown; readonly failure?: Failure }

/** What of an error crosses: what a screen tells apart, and the sentence. Causes stay behind. */
type Failure = {
  readonly message: string
  readonly code?: ErrorCode
  readonly context?: Errors[ErrorCode]
  readonly status?: number
  readonly field?: string
}

/** Each verb, so that none can be left out and nothing else can be called. */
const verbs: { readonly [verb in Verb]: true } = {
  restore: true,
  sendCode: true,
  awaitDevice: true,
  redeem: true,
  recoverBy: true,
  beginSocial: true,
  awaitProvider: true,
  awaitSocial: true,
  beginFarcaster: true,
  awaitFarcaster: true,
  awaitApproval: true,
  updateEmail: true,
  updateEmailPrimary: true,
  updateEmailSecondary: true,
  signOut: true,
  lock: true,
  sign: true,
  ways: true,
  addPassword: true,
  passkeyAsk: true,
  addPasskey: true,
  provePasskey: true,
  removeWay: true,
  devices: true,
  revokeDevice: true,
  reveal: true,
  requestDeletion: true,
  cancelDeletion: true,
}

/**
 * Lets a page call a holder that lives at the other end of a port.
 *
 * @returns a holder of which every verb rejects with a LatchkeyError, a ServiceRefusal, or an Error with a sentence
 * @example const holder = callHolder(worker)
 */
export function callHolder(port: HolderPort): KeyHolder {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let calls = 0
  port.addEventListener('message', ({ data }) => {
    const { reply, value, failure } = data as Reply
    const waiting = open.get(reply)
    if (waiting === undefined) return
    open.delete(reply)
    if (failure === undefined) waiting.resolve(value)
    else waiting.reject(errorOf(failure))
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
  // One caller for each verb of the table, and the table has the verbs of a KeyHolder.
  return Object.fromEntries(callers) as KeyHolder
}

/** Answers a page's calls with a holder of this worker's own. */
export function serveHolder(port: HolderPort, holder: Promise<KeyHolder>): void {
  port.addEventListener('message', ({ data }) => {
    const { call, verb, args } = data as Call
    if (typeof call !== 'number' || !Object.hasOwn(verbs, verb)) return
    void answer(async () => Reflect.apply((await holder)[verb], await holder, [...args]))
      .then((answered) => ({ reply: call, ...answered }))
      .then((reply: Reply) => port.postMessage(reply))
  })
  port.start?.()
}

async function answer(act: () => Promise<unknown>): Promise<Omit<Reply, 'reply'>> {
  try {
    return { value: await act() }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

function failureOf(error: unknown): Failure {
  if (isLatchkeyError(error)) return { message: error.message, code: error.code, context: error.context }
  if (error instanceof ServiceRefusal) return { message: error.message, status: error.status, field: error.field }
  // What a library says may hold what it was given.
  return { message: 'Something went wrong' }
}

function errorOf({ message, code, context, status, field }: Failure): Error {
  // The pair was one of an error's own.
  if (code !== undefined && context !== undefined) return new LatchkeyError(code, context, { sentence: message })
  if (status !== undefined && field !== undefined) return new ServiceRefusal(status, field, message)
  return new Error(message)
}
