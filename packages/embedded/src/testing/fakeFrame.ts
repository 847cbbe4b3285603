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

type Verdict = 'yes' | 'no'

/** Creates a frame without a browser: it logs in by code, asks for consent and remembers both. */
export function fakeFrame({ ready = true }: { ready?: boolean } = {}): FakeFrame {
  const requests: Array<{ name: FrameRequestName; payload: unknown }> = []
  const urls: URL[] = []
  const waiting: Array<{ id: string; what: string; respond(verdict: Verdict): void }> = []
  const verdicts: Verdict[] = []
  let odd: Parameters<FakeFrame['misbehave']>[0] = {}
  let isLoggedIn = false
  let isGranted = false
  let kind: FrameAccountType = 'eoa'
  let network: ChainId = 'eip155:1'
  let listener: FramePortListener | undefined
  let ended = 0

  const postToPage = (message: unknown): void => {
    const present = listener
    queueMicrotask(() => present === listener && listener?.onMessage(message))
  }
  const next = (): void => {
    const [first] = waiting
    postToPage(frameEvent('SCREEN', first === undefined ? { open: false } : { open: true, height: 480 }))
  }
  const show = (id: string, what: string, respond: (verdict: Verdict) => void): void => {
    const verdict = verdicts.shift()
    if (verdict !== undefined) return respond(verdict)
    waiting.push({ id, what, respond })
    next()
  }
  const decide = (verdict: Verdict): void => {
    const first = waiting.shift()
    if (first === undefined) verdicts.push(verdict)
    else {
      first.respond(verdict)
      next()
    }
  }
  const userOn = (chainId: ChainId): FrameUser => {
    const { namespace } = parseChainId(chainId)
    const address = (index: number): string => fakeAddress(namespace as 'eip155', index)
    const accounts = [
      { type: 'eoa', address: address(0) },
      { type: 'smartAccount', address: address(1) },
    ] as const
    const current = namespace === 'eip155' && kind === 'smartAccount' ? accounts[1] : accounts[0]
    return { email: 'visitor@example.org', address: current.address, chainId, accounts, preferredAccountType: kind }
  }

  function respond(request: FrameRequest): void {
    const rejected = (): void => postToPage(frameError(request, 'User rejected the request', { code: 4001 }))
    switch (request.name) {
      case 'CONNECT_EMAIL':
        if (request.payload.email.startsWith('new'))
          return postToPage(frameResponse(request, { action: 'VERIFY_DEVICE', match: '42' }))
        return postToPage(frameResponse(request, { action: 'VERIFY_OTP' }))
      case 'CONNECT_OTP':
        if (request.payload.otp !== '123456')
          return postToPage(frameError(request, 'This code is not the one in the mail.'))
        isLoggedIn = isGranted = true
        return postToPage(frameResponse(request, undefined))
      case 'IS_CONNECTED':
        return postToPage(frameResponse(request, { isConnected: isLoggedIn && isGranted }))
      case 'GET_SOCIAL_REDIRECT_URI':
        return postToPage(frameResponse(request, { uri: `https://${request.payload.provider}.example/authorize` }))
      case 'CONNECT_SOCIAL':
        return show(request.id, 'social', () => {
          isLoggedIn = isGranted = true
          postToPage(frameResponse(request, userOn('eip155:1')))
        })
      case 'GET_FARCASTER_URI':
        return postToPage(frameResponse(request, { url: 'https://farcaster.example/~/1' }))
      case 'CONNECT_FARCASTER':
        return show(request.id, 'farcaster', () => {
          isLoggedIn = isGranted = true
          postToPage(frameResponse(request, { userName: 'visitor' }))
        })
      case 'GET_USER': {
        const chainId = String(request.payload?.chainId) as ChainId
        network = chainId
        const give = (): void => postToPage(frameResponse(request, userOn(chainId)))
        if (isLoggedIn && isGranted) return give()
        return show(request.id, 'consent', (verdict) => {
          if (verdict === 'no') return rejected()
          isLoggedIn = isGranted = true
          give()
        })
      }
      case 'SIGN_OUT':
        isLoggedIn = isGranted = false
        return postToPage(frameResponse(request, undefined))
      case 'SWITCH_NETWORK':
        network = String(request.payload.chainId) as ChainId
        return postToPage(frameResponse(request, { chainId: request.payload.chainId }))
      case 'SET_PREFERRED_ACCOUNT': {
        const { type } = request.payload
        // Applies to the network of the last request.
        if (parseChainId(network).namespace === 'eip155') kind = type
        else if (type === 'smartAccount')
          return postToPage(frameError(request, 'There are none on this network.', { code: 4200 }))
        return postToPage(frameResponse(request, { type, address: userOn(network).address }))
      }
      case 'GET_SMART_ACCOUNT_ENABLED_NETWORKS':
        return postToPage(frameResponse(request, { smartAccountEnabledNetworks: [1] }))
      case 'UPDATE_EMAIL':
        return postToPage(frameResponse(request, { action: 'VERIFY_PRIMARY_OTP' }))
      case 'UPDATE_EMAIL_SECONDARY_OTP':
        return postToPage(frameResponse(request, { newEmail: 'other@example.org' }))
      case 'RPC_REQUEST': {
        const { method, params } = request.payload
        if (method === 'personal_sign') {
          const [message] = params as readonly string[]
          return show(request.id, method, (verdict) =>
            verdict === 'no' ? rejected() : postToPage(frameResponse(request, fakeSignature('0x', String(message)))),
          )
        }
        if (method === 'eth_call') return postToPage(frameError(request, 'execution reverted', { code: 3 }))
        return postToPage(frameResponse(request, params))
      }
      case 'OPEN_SCREEN':
        return show(request.id, request.payload.screen, () => postToPage(frameResponse(request, undefined)))
      case 'RPC_ABORT': {
        const index = waiting.findIndex(({ id }) => id === request.payload?.id)
        if (index !== -1) waiting.splice(index, 1)
        if (index !== -1) next()
        return postToPage(frameResponse(request, undefined))
      }
      default:
        // All other requests have an empty response.
        return postToPage(frameResponse(request as FrameRequest & { name: 'SYNC_DAPP_DATA' }, undefined))
    }
  }

  return {
    urls,
    requests,
    get ended() {
      return ended
    },
    open(url, onMessage) {
      urls.push(url)
      listener = onMessage
      waiting.length = 0
      if (ready && odd.silent !== true) postToPage(frameEvent('READY', { version: '4' }))
      return {
        post(message) {
          if (listener !== onMessage) throw new Error('This frame was taken out of the page.')
          // Messages between windows are copies.
          const request = parseFrameRequest(structuredClone(message))
          if (request === undefined || 'problem' in request)
            throw new Error(`The frame would not read ${message.type}.`)
          requests.push({ name: request.name, payload: request.payload })
          if (odd.never === request.name) return
          if (odd.instead?.name === request.name) {
            const { respond: other, to = request.name } = odd.instead
            return postToPage(frameResponse({ id: request.id, name: to }, other as never))
          }
          if (odd.name === request.name) return postToPage(frameError(request, odd.message ?? '', odd))
          respond(request)
        },
        place: () => () => {},
        end() {
          ended += 1
          if (listener === onMessage) listener = undefined
        },
      }
    },
    approve: () => decide('yes'),
    decline: () => decide('no'),
    shown: () => waiting[0]?.what,
    setLoggedIn(now) {
      isLoggedIn = now
      if (!now) isGranted = false
      postToPage(frameEvent('CHANGED', { isConnected: now }))
    },
    setKind(next) {
      kind = next
      postToPage(frameEvent('CHANGED', { isConnected: true }))
    },
    misbehave: (how) => void (odd = how),
    postToPage,
    load: () => listener?.loaded(),
  }
}
