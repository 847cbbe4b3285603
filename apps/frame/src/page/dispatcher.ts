import {
  classifyMethod,
  frameAnswer,
  frameError,
  frameLimits,
  isLatchkeyError,
  readFrameRequest,
  type FrameRequest,
  type FrameRequestName,
  type FrameRequests,
} from '@latchkey/protocol'
import { RpcError } from '../chain/rpcError.ts'
import { ServiceRefusal } from '../services/ask.ts'

/** What each request does. Aborted when the page gives it up, or is gone. */
export type Handlers = {
  readonly [name in Exclude<FrameRequestName, 'RPC_ABORT'>]: (
    payload: FrameRequests[name]['payload'],
    signal: AbortSignal,
  ) => Promise<FrameRequests[name]['answer']>
}

export type DispatcherParts = {
  readonly handlers: Handlers
  say(message: object): void
  /** What a failure is called in the visitor's language; undefined where its own message has to do. */
  sayFailure(error: unknown): string | undefined
  /** Milliseconds, of a clock that only goes forward. */
  now(): number
}

/** Takes what the page says, one after the other. */
export type Dispatcher = {
  hear(data: unknown): void
  /** Gives up everything that waits for the visitor; what only reads goes on. */
  abortScreens(): void
}

type Open = {
  readonly request: Exclude<FrameRequest, { name: 'RPC_ABORT' }>
  readonly controller: AbortController
}

/**
 * Reads each message of the page, and answers each request once: with what its handler says, or with why not. What is no
 * request is dropped. A page that asks too much is told so, and this one stays quick.
 */
export function createDispatcher({ handlers, say, sayFailure, now }: DispatcherParts): Dispatcher {
  const open = new Map<string, Open>()
  const bucket = createBucket(now)

  function abort(given: Open): void {
    open.delete(given.request.id)
    given.controller.abort()
    say(frameError(given.request, 'Request was aborted'))
  }
  function abortScreens(): void {
    for (const given of open.values()) if (waitsForVisitor(given.request)) abort(given)
  }
  function handleAbort(request: Extract<FrameRequest, { name: 'RPC_ABORT' }>): void {
    const id = request.payload?.id
    if (id === undefined) abortScreens()
    else for (const given of open.values()) if (given.request.id === id) abort(given)
    say(frameAnswer(request, undefined))
  }
  async function handle(request: Exclude<FrameRequest, { name: 'RPC_ABORT' }>): Promise<void> {
    const given: Open = { request, controller: new AbortController() }
    open.set(request.id, given)
    const reply = await answerOf(given, handlers, sayFailure)
    // Given up meanwhile: it was answered then.
    if (open.get(request.id) !== given) return
    open.delete(request.id)
    say(reply)
  }

  return {
    abortScreens,
    hear(data) {
      const request = readFrameRequest(data)
      if (request === undefined) return
      if ('problem' in request) say(frameError(request, request.problem))
      else if (!bucket.take()) say(frameError(request, 'Too many requests. Try again in a moment.'))
      else if (request.name === 'RPC_ABORT') handleAbort(request)
      else if (open.has(request.id)) say(frameError(request, 'There is an open request of this id already.'))
      else if (open.size >= frameLimits.open) say(frameError(request, 'Too many open requests.'))
      else void handle(request)
    },
  }
}

async function answerOf(
  { request, controller: { signal } }: Open,
  handlers: Handlers,
  sayFailure: DispatcherParts['sayFailure'],
): Promise<object> {
  try {
    // Each name's handler takes this name's payload; the pair came of one request.
    const handler = handlers[request.name] as (payload: unknown, signal: AbortSignal) => Promise<unknown>
    const answer = await handler(request.payload, signal)
    return frameAnswer(request, answer as FrameRequests[typeof request.name]['answer'])
  } catch (error) {
    const told = forPeople(error)
    return frameError(request, told?.message ?? 'Something went wrong', {
      code: told instanceof RpcError ? told.code : undefined,
      said: told && sayFailure(told),
    })
  }
}

/**
 * What was meant for people is said; what a library threw may hold what it was given. A library that was refused something
 * by this wallet's own parts wraps that, and the refusal says more than nothing.
 */
function forPeople(error: unknown): Error | undefined {
  if (isLatchkeyError(error) || error instanceof ServiceRefusal || error instanceof RpcError) return error
  return error instanceof Error ? forPeople(error.cause) : undefined
}

function waitsForVisitor(request: FrameRequest): boolean {
  if (request.name === 'RPC_REQUEST') return classifyMethod(request.payload.method) !== 'safe'
  return request.name === 'OPEN_SCREEN' || request.name === 'SET_PREFERRED_ACCOUNT'
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
