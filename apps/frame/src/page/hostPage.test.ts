import { frameRequest } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { openHostPage, type FrameWindow, type HostMessage } from './hostPage.ts'

const projectId = 'ab'.repeat(16)
const app = 'https://app.example'
const greeting = frameRequest('SYNC_DAPP_DATA', 'hello', { projectId })
const request = frameRequest('IS_CONNECTED', 'one', undefined)

type WindowOptions = {
  ancestors?: readonly string[] | undefined
  referrer?: string
  isTop?: boolean
  isNested?: boolean
}

/** An embedded window that records its messages. */
function fakeWindow({ ancestors, referrer = '', isTop = false, isNested = false }: WindowOptions) {
  const sent: Array<{ message: unknown; target: string }> = []
  const onMessage: unknown[] = []
  let receive: ((event: HostMessage) => void) | undefined
  const parent = { postMessage: (message: unknown, target: string) => void sent.push({ message, target }) }
  const self = {}
  const window: FrameWindow = {
    self: isTop ? parent : self,
    parent,
    top: isNested ? {} : parent,
    location: ancestors === undefined ? {} : { ancestorOrigins: ancestors },
    document: { referrer },
    addEventListener: (_, listener) => (receive = listener),
  }
  const page = openHostPage({
    window,
    allowedOrigins: ['app.example', 'https://*.wild.example', 'http://localhost:*'],
    projectId,
    onMessage: (data) => onMessage.push(data),
  })
  const speak = (data: unknown, event: Partial<HostMessage> = {}) =>
    receive?.({ source: parent, origin: app, ports: [], ...event, data })
  return { page, sent, onMessage, speak, parent }
}

describe('the frame', () => {
  test('announces itself to the embedding origin and sends its responses there only', () => {
    const { page, sent, onMessage, speak } = fakeWindow({ ancestors: [app] })
    expect(sent).toEqual([{ message: { type: '@w3m-frame/READY', payload: {} }, target: app }])
    page?.send({ type: 'early' })
    expect(sent).toHaveLength(1)
    speak(request)
    expect(onMessage).toEqual([request])
    page?.send({ type: 'response' })
    expect(sent.at(-1)).toEqual({ message: { type: 'response' }, target: app })
    expect(page?.origin()).toBe(app)
  })

  test('without ancestorOrigins accepts the referrer if the parent is the top window [I-02]', () => {
    expect(fakeWindow({ referrer: `${app}/page?x=1` }).sent.map(({ target }) => target)).toEqual([app])
    const nested = fakeWindow({ referrer: `${app}/`, isNested: true })
    expect(nested.page).toBeUndefined()
    expect(nested.sent).toEqual([])
  })

  test.each([
    ['on top of all', { isTop: true, ancestors: [] }],
    ['held by a stranger', { ancestors: ['https://evil.example'] }],
    ['held by a stranger above the page', { ancestors: [app, 'https://evil.example'] }],
    ['held by a page without an origin', { ancestors: ['null'] }],
  ])('neither sends nor receives messages %s [I-02]', (_, given) => {
    const { page, sent, onMessage, speak } = fakeWindow(given)
    speak(request)
    expect([page, sent, onMessage]).toEqual([undefined, [], []])
  })

  test.each([
    'https://app.example.evil.example',
    'https://evil-app.example',
    'http://app.example',
    'https://app.example:8443',
    'https://wild.example',
    'https://a.b.wild.example',
    'https://xn--pp-xia.example',
    'http://localhost.evil.example',
    'http://localhost:1.evil.example',
    'null',
    '',
  ])('does not allow the look-alike origin %s [I-01]', (origin) => {
    const { sent, onMessage, speak } = fakeWindow({ ancestors: [origin] })
    speak(request, { origin })
    expect([sent, onMessage]).toEqual([[], []])
  })

  test.each(['https://one.wild.example', 'http://localhost:3000', 'http://localhost'])('allows %s', (origin) => {
    const { onMessage, speak } = fakeWindow({ ancestors: [origin] })
    speak(request, { origin })
    expect(onMessage).toHaveLength(1)
  })

  test('accepts messages of its parent and the embedding origin only [I-04]', () => {
    const { onMessage, speak } = fakeWindow({ ancestors: [app] })
    speak(request, { source: {} })
    speak(request, { source: null })
    speak(request, { origin: 'https://one.wild.example' })
    expect(onMessage).toEqual([])
  })

  test('pins the origin of the first valid message [I-06]', () => {
    const { page, onMessage, speak } = fakeWindow({})
    speak(request, { origin: 'https://evil.example' })
    speak({ type: 'noise' }, { origin: 'http://localhost:1' })
    speak(request)
    speak(request, { origin: 'http://localhost:1' })
    expect(onMessage).toHaveLength(1)
    expect(page?.origin()).toBe(app)
  })

  test('takes the port of its project’s handshake once and uses it from then on [I-06]', () => {
    const { page, sent, onMessage, speak } = fakeWindow({ ancestors: [app] })
    const [first, second] = [fakePort(), fakePort()]
    speak(frameRequest('SYNC_DAPP_DATA', 'other', { projectId: 'cd'.repeat(16) }), { ports: [second.port] })
    speak(request, { ports: [second.port] })
    speak(greeting, { ports: [first.port] })
    speak(greeting, { ports: [second.port] })
    expect(onMessage).toHaveLength(3)
    first.receive?.({ data: request })
    expect(onMessage).toHaveLength(4)
    page?.send({ type: 'response' })
    expect([first.posted, second.posted, sent.length]).toEqual([[{ type: 'response' }], [], 1])
  })
})

function fakePort() {
  const posted: unknown[] = []
  const given: { posted: unknown[]; receive?(event: { data: unknown }): void; port: HostMessage['ports'][number] } = {
    posted,
    port: {
      postMessage: (message) => void posted.push(message),
      addEventListener: (_, listener) => (given.receive = listener),
      start: () => undefined,
    },
  }
  return given
}
