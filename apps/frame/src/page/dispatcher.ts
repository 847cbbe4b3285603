import {
  classifyMethod,
  frameResponse,
  frameError,
  frameLimits,
  isLatchkeyError,
  parseFrameRequest,
  type FrameRequest,
  type FrameRequestName,
  type FrameRequests,
} from '@latchkey/protocol'
import { RpcError } from '../chain/rpcError.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'

/** Handlers by request name. The signal aborts when the page cancels the request or is closed. */
export type Handlers = {
  readonly [name in Exclude<FrameRequestName, 'RPC_ABORT'>]: (
    payload: FrameRequests[name]['payload'],
    signal: AbortSignal,
  ) => Promise<FrameRequests[name]['response']>
}

export type DispatcherDependencies = {
  readonly handlers: Handlers
  send(message: object): void
  /** Returns the failure's text in the user's language. `undefined` if the error's own message has to do. */
  localizeFailure(error: unknown): string | undefined
  /** Milliseconds of a monotonic clock. */
  now(): number
}

/** Handles the messages of the page. */
export type Dispatcher = {
  receive(data: unknown): void
  /** Aborts the requests that wait for the user. Read requests continue. */
  abortScreens(): void
}

type Open = {
  readonly request: Exclude<FrameRequest, { name: 'RPC_ABORT' }>
  readonly controller: AbortController
}

/**
 * Parses each message of the page and responds to each request once, with its result or an error. Ignores other messages.
 * Rate limits the page, so that the frame stays responsive.
 */
export function createDispatcher({ handlers, send, localizeFailure, now }: DispatcherDependencies): Dispatcher {
  const open = new Map<string, Open>()
  const bucket = createBucket(now)

  function abort(given: Open): void {
    open.delete(given.request.id)
    given.controller.abort()
    send(frameError(given.request, 'Request was aborted'))
  }
  function abortScreens(): void {
    for (const given of open.values()) if (needsUser(given.request)) abort(given)
  }
  function handleAbort(request: Extract<FrameRequest, { name: 'RPC_ABORT' }>): void {
    const id = request.payload?.id
    if (id === undefined) abortScreens()
    else for (const given of open.values()) if (given.request.id === id) abort(given)
    send(frameResponse(request, undefined))
  }
  async function handle(request: Exclude<FrameRequest, { name: 'RPC_ABORT' }>): Promise<void> {
    const given: Open = { request, controller: new AbortController() }
    open.set(request.id, given)
    const reply = await runHandler(given, handlers, localizeFailure)
    // The request has been aborted in the meantime, and has its response.
    if (open.get(request.id) !== given) return
    open.delete(request.id)
    send(reply)
  }

  return {
    abortScreens,
    receive(data) {
      const request = parseFrameRequest(data)
      if (request === undefined) return
      if ('problem' in request) send(frameError(request, request.problem))
      else if (!bucket.take()) send(frameError(request, 'Too many requests. Try again in a moment.'))
      else if (request.name === 'RPC_ABORT') handleAbort(request)
      else if (open.has(request.id)) send(frameError(request, 'There is an open request of this id already.'))
      else if (open.size >= frameLimits.open) send(frameError(request, 'Too many open requests.'))
      else void handle(request)
    },
  }
}

async function runHandler(
  { request, controller: { signal } }: Open,
  handlers: Handlers,
  localizeFailure: DispatcherDependencies['localizeFailure'],
): Promise<object> {
  try {
    // Handler and payload belong to the same name.
    const handler = handlers[request.name] as (payload: unknown, signal: AbortSignal) => Promise<unknown>
    const result = await handler(request.payload, signal)
    return frameResponse(request, result as FrameRequests[typeof request.name]['response'])
  } catch (error) {
    const publicError = findPublicError(error)
    return frameError(request, publicError?.message ?? 'Something went wrong', {
      code: publicError instanceof RpcError ? publicError.code : undefined,
      localizedMessage: publicError && localizeFailure(publicError),
    })
  }
}

/**
 * Finds the error that may be shown. Messages of libraries may contain their input, so only errors of this wallet are
 * shown, even if a library wrapped one.
 */
function findPublicError(error: unknown): Error | undefined {
  if (isLatchkeyError(error) || error instanceof ServiceRefusal || error instanceof RpcError) return error
  return error instanceof Error ? findPublicError(error.cause) : undefined
}

const userRequests: readonly FrameRequestName[] = [
  'OPEN_SCREEN',
  'SET_PREFERRED_ACCOUNT',
  'UPDATE_EMAIL',
  'UPDATE_EMAIL_PRIMARY_OTP',
]

function needsUser(request: FrameRequest): boolean {
  if (request.name === 'RPC_REQUEST') return classifyMethod(request.payload.method) !== 'safe'
  return userRequests.includes(request.name)
}

function createBucket(now: () => number): { take(): boolean } {
  let left: number = frameLimits.burst
  let since = now()
  return {
    take() {
      const at = now()
      left = Math.min(frameLimits.burst, left + ((at - since) / 1_000) * frameLimits.perSecond)
      since = at
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
