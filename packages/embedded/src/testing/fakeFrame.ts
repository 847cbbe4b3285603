import {
  frameResponse,
  frameError,
  frameEvent,
  parseChainId,
  parseFrameRequest,
  type ChainId,
  type FrameAccountType,
  type FrameRequest,
  type FrameRequestName,
  type FrameUser,
} from '@latchkey/protocol'
import { fakeAddress, fakeSignature } from '@latchkey/core/testing'
import type { FramePortListener, OpenFrame } from '../frame/framePort.ts'

/** Controls the fake frame: mail, providers and user. */
export type FakeFrame = {
  /** Opens the frame. Each call is one load. */
  readonly open: OpenFrame
  /** URLs of all loads. */
  readonly urls: readonly URL[]
  /** All requests in order. */
  readonly requests: ReadonlyArray<{ name: FrameRequestName; payload: unknown }>
  /** Number of times that the frame was removed. */
  readonly ended: number
  /** Approves or rejects the screen that is shown, or the next one. */
  approve(): void
  decline(): void
  /** The screen that is shown. */
  shown(): string | undefined
  /** Changes the login state from outside. */
  setLoggedIn(isLoggedIn: boolean): void
  setKind(kind: FrameAccountType): void
  /** Makes the frame silent, refuse a request, or respond with another value. */
  misbehave(how: {
    silent?: boolean
    name?: FrameRequestName
    message?: string
    code?: number
    localizedMessage?: string
    never?: FrameRequestName
    instead?: { name: FrameRequestName; respond: unknown; to?: FrameRequestName }
  }): void
  /** Sends an arbitrary message. */
  postToPage(data: unknown): void
  /** Reports a loaded document. */
  load(): void
}

type Misbehaviour = Parameters<FakeFrame['misbehave']>[0]

/** Creates a frame without a browser: it logs in by code, asks for consent and remembers both. */
export function fakeFrame({ ready = true }: { ready?: boolean } = {}): FakeFrame {
  const requests: Array<{ name: FrameRequestName; payload: unknown }> = []
  let odd: Misbehaviour = {}
  const ports = createFakePorts(receive)
  const { postToPage } = ports
  const screens = createFakeScreens(postToPage)
  const state: FrameState = {
    isLoggedIn: false,
    isGranted: false,
    kind: 'eoa',
    network: 'eip155:1',
    screens,
    postToPage,
  }

  function receive(message: { readonly type: string }): void {
    // Messages between windows are copies.
    const request = parseFrameRequest(structuredClone(message))
    if (request === undefined || 'problem' in request) throw new Error(`The frame would not read ${message.type}.`)
    requests.push({ name: request.name, payload: request.payload })
    if (odd.never === request.name) return
    const oddResponse = createOddResponse(odd, request)
    if (oddResponse === undefined) respondToFrameRequest(state, request)
    else postToPage(oddResponse)
  }

  return {
    urls: ports.urls,
    requests,
    get ended() {
      return ports.ended()
    },
    open(url, listener) {
      const port = ports.open(url, listener)
      screens.clear()
      if (ready && odd.silent !== true) postToPage(frameEvent('READY', { version: '4' }))
      return port
    },
    approve: () => screens.decide('yes'),
    decline: () => screens.decide('no'),
    shown: screens.shown,
    setLoggedIn(now) {
      state.isLoggedIn = now
      if (!now) state.isGranted = false
      postToPage(frameEvent('CHANGED', { isConnected: now }))
    },
    setKind(next) {
      state.kind = next
      postToPage(frameEvent('CHANGED', { isConnected: true }))
    },
    misbehave: (how) => void (odd = how),
    postToPage,
    load: ports.load,
  }
}

/** The channels to the page, of which only the one of the last load works. */
type FakePorts = Pick<FakeFrame, 'open' | 'urls' | 'load' | 'postToPage'> & { ended(): number }

function createFakePorts(receive: (message: { readonly type: string }) => void): FakePorts {
  const urls: URL[] = []
  let current: FramePortListener | undefined
  let ended = 0
  return {
    urls,
    ended: () => ended,
    open(url, listener) {
      urls.push(url)
      current = listener
      return {
        post(message) {
          if (current !== listener) throw new Error('This frame was taken out of the page.')
          receive(message)
        },
        place: () => () => {},
        end() {
          ended += 1
          if (current === listener) current = undefined
        },
      }
    },
    postToPage(message) {
      const present = current
      queueMicrotask(() => present === current && current?.onMessage(message))
    },
    load: () => current?.loaded(),
  }
}

/** Creates the message that replaces the response to a request, if the test configured one. */
function createOddResponse(odd: Misbehaviour, request: FrameRequest): object | undefined {
  if (odd.instead?.name === request.name) {
    const { respond: other, to = request.name } = odd.instead
    return frameResponse({ id: request.id, name: to }, other as never)
  }
  return odd.name === request.name ? frameError(request, odd.message ?? '', odd) : undefined
}

type Verdict = 'yes' | 'no'

/** The screens that wait for the user. */
type FakeScreens = {
  /** Shows a screen until the user decides. */
  show(id: string, what: string, respond: (verdict: Verdict) => void): void
  /** Decides the screen that is shown, or the next one. */
  decide(verdict: Verdict): void
  /** Removes the screen of a request. */
  cancel(id: string | undefined): void
  clear(): void
  shown(): string | undefined
}

function createFakeScreens(postToPage: (message: unknown) => void): FakeScreens {
  const waiting: Array<{ id: string; what: string; respond(verdict: Verdict): void }> = []
  const verdicts: Verdict[] = []

  const next = (): void => {
    const [first] = waiting
    postToPage(frameEvent('SCREEN', first === undefined ? { open: false } : { open: true, height: 480 }))
  }
  return {
    show(id, what, respond) {
      const verdict = verdicts.shift()
      if (verdict !== undefined) return respond(verdict)
      waiting.push({ id, what, respond })
      next()
    },
    decide(verdict) {
      const first = waiting.shift()
      if (first === undefined) verdicts.push(verdict)
      else {
        first.respond(verdict)
        next()
      }
    },
    cancel(id) {
      const index = waiting.findIndex((screen) => screen.id === id)
      if (index === -1) return
      waiting.splice(index, 1)
      next()
    },
    clear: () => void (waiting.length = 0),
    shown: () => waiting[0]?.what,
  }
}

/** The session in the frame's document. */
type FrameState = {
  isLoggedIn: boolean
  isGranted: boolean
  kind: FrameAccountType
  /** The network of the last request. */
  network: ChainId
  readonly screens: FakeScreens
  postToPage(message: unknown): void
}

type RequestOf<name extends FrameRequestName> = Extract<FrameRequest, { name: name }>

function respondToFrameRequest(frame: FrameState, request: FrameRequest): void {
  const { screens, postToPage } = frame
  switch (request.name) {
    case 'CONNECT_EMAIL':
    case 'CONNECT_OTP':
    case 'CONNECT_SOCIAL':
    case 'CONNECT_FARCASTER':
      return respondToLogin(frame, request)
    case 'GET_USER':
      return respondToUserRequest(frame, request)
    case 'SET_PREFERRED_ACCOUNT':
      return respondToAccountChoice(frame, request)
    case 'RPC_REQUEST':
      return respondToRpcRequest(frame, request)
    case 'IS_CONNECTED':
      return postToPage(frameResponse(request, { isConnected: frame.isLoggedIn && frame.isGranted }))
    case 'GET_SOCIAL_REDIRECT_URI':
      return postToPage(frameResponse(request, { uri: `https://${request.payload.provider}.example/authorize` }))
    case 'GET_FARCASTER_URI':
      return postToPage(frameResponse(request, { url: 'https://farcaster.example/~/1' }))
    case 'SIGN_OUT':
      frame.isLoggedIn = frame.isGranted = false
      return postToPage(frameResponse(request, undefined))
    case 'SWITCH_NETWORK':
      frame.network = String(request.payload.chainId) as ChainId
      return postToPage(frameResponse(request, { chainId: request.payload.chainId }))
    case 'GET_SMART_ACCOUNT_ENABLED_NETWORKS':
      return postToPage(frameResponse(request, { smartAccountEnabledNetworks: [1] }))
    case 'UPDATE_EMAIL':
      return postToPage(frameResponse(request, { action: 'VERIFY_PRIMARY_OTP' }))
    case 'UPDATE_EMAIL_SECONDARY_OTP':
      return postToPage(frameResponse(request, { newEmail: 'other@example.org' }))
    case 'OPEN_SCREEN':
      return screens.show(request.id, request.payload.screen, () => postToPage(frameResponse(request, undefined)))
    case 'RPC_ABORT':
      screens.cancel(request.payload?.id)
      return postToPage(frameResponse(request, undefined))
    default:
      // All other requests have an empty response.
      return postToPage(frameResponse(request as FrameRequest & { name: 'SYNC_DAPP_DATA' }, undefined))
  }
}

function respondToLogin(
  frame: FrameState,
  request: RequestOf<'CONNECT_EMAIL' | 'CONNECT_OTP' | 'CONNECT_SOCIAL' | 'CONNECT_FARCASTER'>,
): void {
  const { screens, postToPage } = frame
  switch (request.name) {
    case 'CONNECT_EMAIL':
      if (request.payload.email.startsWith('new'))
        return postToPage(frameResponse(request, { action: 'VERIFY_DEVICE', match: '42' }))
      return postToPage(frameResponse(request, { action: 'VERIFY_OTP' }))
    case 'CONNECT_OTP':
      if (request.payload.otp !== '123456')
        return postToPage(frameError(request, 'This code is not the one in the mail.'))
      frame.isLoggedIn = frame.isGranted = true
      return postToPage(frameResponse(request, undefined))
    case 'CONNECT_SOCIAL':
      return screens.show(request.id, 'social', () => {
        frame.isLoggedIn = frame.isGranted = true
        postToPage(frameResponse(request, createFrameUser('eip155:1', frame.kind)))
      })
    case 'CONNECT_FARCASTER':
      return screens.show(request.id, 'farcaster', () => {
        frame.isLoggedIn = frame.isGranted = true
        postToPage(frameResponse(request, { userName: 'visitor' }))
      })
  }
}

/** Sends the accounts of the user, who is asked for consent first. */
function respondToUserRequest(frame: FrameState, request: RequestOf<'GET_USER'>): void {
  const chainId = String(request.payload?.chainId) as ChainId
  frame.network = chainId
  const give = (): void => frame.postToPage(frameResponse(request, createFrameUser(chainId, frame.kind)))
  if (frame.isLoggedIn && frame.isGranted) return give()
  return frame.screens.show(request.id, 'consent', (verdict) => {
    if (verdict === 'no') return rejectFrameRequest(frame, request)
    frame.isLoggedIn = frame.isGranted = true
    give()
  })
}

function respondToAccountChoice(frame: FrameState, request: RequestOf<'SET_PREFERRED_ACCOUNT'>): void {
  const { type } = request.payload
  // Applies to the network of the last request.
  if (parseChainId(frame.network).namespace === 'eip155') frame.kind = type
  else if (type === 'smartAccount')
    return frame.postToPage(frameError(request, 'There are none on this network.', { code: 4200 }))
  const { address } = createFrameUser(frame.network, frame.kind)
  return frame.postToPage(frameResponse(request, { type, address }))
}

function respondToRpcRequest(frame: FrameState, request: RequestOf<'RPC_REQUEST'>): void {
  const { screens, postToPage } = frame
  const { method, params } = request.payload
  if (method === 'personal_sign') {
    const [message] = params as readonly string[]
    return screens.show(request.id, method, (verdict) =>
      verdict === 'no'
        ? rejectFrameRequest(frame, request)
        : postToPage(frameResponse(request, fakeSignature('0x', String(message)))),
    )
  }
  if (method === 'eth_call') return postToPage(frameError(request, 'execution reverted', { code: 3 }))
  return postToPage(frameResponse(request, params))
}

function rejectFrameRequest({ postToPage }: FrameState, request: FrameRequest): void {
  postToPage(frameError(request, 'User rejected the request', { code: 4001 }))
}

function createFrameUser(chainId: ChainId, kind: FrameAccountType): FrameUser {
  const { namespace } = parseChainId(chainId)
  const address = (index: number): string => fakeAddress(namespace as 'eip155', index)
  const accounts = [
    { type: 'eoa', address: address(0) },
    { type: 'smartAccount', address: address(1) },
  ] as const
  const current = namespace === 'eip155' && kind === 'smartAccount' ? accounts[1] : accounts[0]
  return { email: 'visitor@example.org', address: current.address, chainId, accounts, preferredAccountType: kind }
}
