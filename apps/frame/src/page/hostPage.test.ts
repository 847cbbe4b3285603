import { frameRequest } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { openHostPage, type FrameWindow, type HostMessage } from './hostPage.ts'

const projectId = 'ab'.repeat(16)
const app = 'https://app.example'
const greeting = frameRequest('SYNC_DAPP_DATA', 'hello', { projectId })
const question = frameRequest('IS_CONNECTED', 'one', undefined)

type Given = { ancestors?: readonly string[] | undefined; referrer?: string; isTop?: boolean; isNested?: boolean }

/** A window that is held by another one, which writes down what it is told. */
function heldWindow({ ancestors, referrer = '', isTop = false, isNested = false }: Given) {
  const told: Array<{ message: unknown; target: string }> = []
  const heard: unknown[] = []
  let hear: ((event: HostMessage) => void) | undefined
  const parent = { postMessage: (message: unknown, target: string) => void told.push({ message, target }) }
  const self = {}
  const window: FrameWindow = {
    self: isTop ? parent : self,
    parent,
    top: isNested ? {} : parent,
    location: ancestors === undefined ? {} : { ancestorOrigins: ancestors },
    document: { referrer },
    addEventListener: (_, listener) => (hear = listener),
  }
  const page = openHostPage({
    window,
    allowedOrigins: ['app.example', 'https://*.wild.example', 'http://localhost:*'],
    projectId,
    heard: (data) => heard.push(data),
  })
  const speak = (data: unknown, event: Partial<HostMessage> = {}) =>
    hear?.({ source: parent, origin: app, ports: [], ...event, data })
  return { page, told, heard, speak, parent }
}

describe('the frame', () => {
  test('says that it is ready to the very origin that holds it, and answers to it alone', () => {
    const { page, told, heard, speak } = heldWindow({ ancestors: [app] })
    expect(told).toEqual([{ message: { type: '@w3m-frame/READY', payload: {} }, target: app }])
    page?.say({ type: 'early' })
    expect(told).toHaveLength(1)
    speak(question)
    expect(heard).toEqual([question])
    page?.say({ type: 'answer' })
    expect(told.at(-1)).toEqual({ message: { type: 'answer' }, target: app })
    expect(page?.origin()).toBe(app)
  })

  test('where the browser names no ancestors takes the page that led to it, if nobody is above that [I-02]', () => {
    expect(heldWindow({ referrer: `${app}/page?x=1` }).told.map(({ target }) => target)).toEqual([app])
    const nested = heldWindow({ referrer: `${app}/`, isNested: true })
    expect(nested.page).toBeUndefined()
    expect(nested.told).toEqual([])
  })

  test.each([
    ['on top of all', { isTop: true, ancestors: [] }],
    ['held by a stranger', { ancestors: ['https://evil.example'] }],
    ['held by a stranger above the page', { ancestors: [app, 'https://evil.example'] }],
    ['held by a page without an origin', { ancestors: ['null'] }],
  ])('says nothing and hears nothing %s [I-02]', (_, given) => {
    const { page, told, heard, speak } = heldWindow(given)
    speak(question)
    expect([page, told, heard]).toEqual([undefined, [], []])
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
  ])('is not fooled by an origin that only looks like one of the list: %s [I-01]', (origin) => {
    const { told, heard, speak } = heldWindow({ ancestors: [origin] })
    speak(question, { origin })
    expect([told, heard]).toEqual([[], []])
  })

  test.each(['https://one.wild.example', 'http://localhost:3000', 'http://localhost'])('knows %s', (origin) => {
    const { heard, speak } = heldWindow({ ancestors: [origin] })
    speak(question, { origin })
    expect(heard).toHaveLength(1)
  })

  test('hears its parent only, from the origin that it is held by [I-04]', () => {
    const { heard, speak } = heldWindow({ ancestors: [app] })
    speak(question, { source: {} })
    speak(question, { source: null })
    speak(question, { origin: 'https://one.wild.example' })
    expect(heard).toEqual([])
  })

  test('stays with the origin of the first message that makes sense [I-06]', () => {
    const { page, heard, speak } = heldWindow({})
    speak(question, { origin: 'https://evil.example' })
    speak({ type: 'noise' }, { origin: 'http://localhost:1' })
    speak(question)
    speak(question, { origin: 'http://localhost:1' })
    expect(heard).toHaveLength(1)
    expect(page?.origin()).toBe(app)
  })

  test('takes the port of a greeting of its project once, and speaks through it from then on [I-06]', () => {
    const { page, told, heard, speak } = heldWindow({ ancestors: [app] })
    const [first, second] = [fakePort(), fakePort()]
    speak(frameRequest('SYNC_DAPP_DATA', 'other', { projectId: 'cd'.repeat(16) }), { ports: [second.port] })
    speak(question, { ports: [second.port] })
    speak(greeting, { ports: [first.port] })
    speak(greeting, { ports: [second.port] })
    expect(heard).toHaveLength(3)
    first.hear?.({ data: question })
    expect(heard).toHaveLength(4)
    page?.say({ type: 'answer' })
    expect([first.said, second.said, told.length]).toEqual([[{ type: 'answer' }], [], 1])
  })
})

function fakePort() {
  const said: unknown[] = []
  const given: { said: unknown[]; hear?(event: { data: unknown }): void; port: HostMessage['ports'][number] } = {
    said,
    port: {
      postMessage: (message) => void said.push(message),
      addEventListener: (_, listener) => (given.hear = listener),
      start: () => undefined,
    },
  }
  return given
}
