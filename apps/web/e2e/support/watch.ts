import type { Browser, BrowserContext, ConsoleMessage, Page } from '@playwright/test'
import {
  bytesCanary,
  codeCanary,
  findCanaries,
  textCanary,
  walletAddress,
  walletCanaries,
  type Canary,
} from './canaries.ts'
import { insertTextInShadowRoots } from '../engines/insertTextInShadowRoots.ts'
import { listExchangedValues, type ExchangedValue } from './listExchangedValues.ts'
import { listSurfaces, type Surface } from './listSurfaces.ts'

/** The records that every test checks. */
export type Watch = {
  /** All errors of pages: uncaught errors, unhandled rejections, policy violations. */
  readonly complaints: string[]
  /** Secrets that the frame sent to a page, or that appear in a log, an error, an address, a storage or a document. */
  leaks(): Promise<readonly string[]>
  /** The secrets of the test so far: wallets, random keys, codes, links and tokens. */
  canaries(): Promise<readonly Canary[]>
  /** Forgets the recorded messages, logs and addresses. For a test that leaks a secret on purpose. */
  forget(): void
}

type Urls = { readonly server: string; readonly frame: string; readonly mailbox: string }
type Mail = { readonly to: readonly string[]; readonly text: string }

/** The records of a test's browsers. */
type Records = {
  readonly complaints: string[]
  /** Messages of the frame to its parent page. */
  readonly messages: string[]
  /** Lines of consoles, errors and addresses of requests. */
  readonly lines: Surface[]
  readonly exchanges: Array<Promise<readonly ExchangedValue[]>>
  /** The random bytes of the wallet's workers, in hexadecimal. */
  readonly randoms: Set<string>
  readonly contexts: BrowserContext[]
  /** The surfaces of pages that a test closed. */
  readonly closed: Array<Promise<readonly Surface[]>>
}

/** Watches a test's browsers until `end`: the given one, and those that the test opens. */
export async function watchBrowsers(
  browser: Browser,
  context: BrowserContext,
  urls: Urls,
): Promise<Watch & { end(): void }> {
  const records: Records = {
    complaints: [],
    messages: [],
    lines: [],
    exchanges: [],
    randoms: new Set(),
    contexts: [],
    closed: [],
  }
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const opened = await open(options)
    await watchContext(opened, records, urls)
    return opened
  }
  await watchContext(context, records, urls)
  return {
    complaints: records.complaints,
    leaks: async () => [...(await messageLeaks(records)), ...(await findSurfaceLeaks(records, urls))],
    canaries: () => canariesOf(records, urls),
    forget() {
      records.messages.splice(0)
      records.lines.splice(0)
    },
    end: () => void (browser.newContext = open),
  }
}

async function watchContext(context: BrowserContext, records: Records, urls: Urls): Promise<void> {
  records.contexts.push(context)
  recordConsole(context, records)
  context.on('page', (page) => watchWorkers(page, urls))
  context.on('request', (request) => {
    // The user opens the link of a mail, which contains its secret.
    if (isLinkPage(request.url(), urls)) return
    records.lines.push({ name: 'the address of a request', text: request.url() })
  })
  context.on('requestfinished', (request) => {
    if (new URL(request.url()).origin === urls.server) records.exchanges.push(listExchangedValues(request))
  })
  await context.addInitScript(recordComplaints)
  if (context.browser()?.browserType().name() === 'firefox') await context.addInitScript(insertTextInShadowRoots)
  await context.exposeBinding('latchkeyReport', (_, text: string) => void records.messages.push(text))
  await context.addInitScript(recordMessages, new URL(urls.frame).host)
  const close = context.close.bind(context)
  context.close = async (options) => {
    const surfaces = listSurfaces(context, urls)
    records.closed.push(surfaces)
    records.contexts.splice(records.contexts.indexOf(context), 1)
    await surfaces
    await close(options)
  }
}

function isLinkPage(url: string, { server, frame }: Urls): boolean {
  return [server, frame].some((each) => url.startsWith(each)) && new URL(url).searchParams.has('secret')
}

/** Values that the frame's services know must not reach a page, whatever they are. */
async function messageLeaks({ exchanges, messages }: Records): Promise<readonly string[]> {
  const known = (await Promise.all(exchanges)).flat().filter(({ isOpen }) => !isOpen)
  return messages.flatMap((text) =>
    known.filter(({ value }) => text.includes(value)).map(({ name }) => `${name} in ${text}`),
  )
}

/** Keys, phrases, codes and tokens must appear nowhere. */
async function findSurfaceLeaks(records: Records, urls: Urls): Promise<readonly string[]> {
  const canaries = await canariesOf(records, urls)
  const open = await Promise.all(records.contexts.map((context) => listSurfaces(context, urls)))
  const closed = await Promise.all(records.closed)
  const messages = records.messages.map((text) => ({ name: 'a message of the frame', text }))
  return [...messages, ...records.lines, ...open.flat(), ...closed.flat()].flatMap(({ name, text }) =>
    findCanaries(text, canaries).map((canary) => `${canary} in ${name}`),
  )
}

const entropyBytes = 16
const tokenNames = new Set(['authorization', 'accessToken', 'refreshToken', 'share', 'vault', 'wrapped'])

async function canariesOf({ randoms, exchanges }: Records, urls: Urls): Promise<readonly Canary[]> {
  const values = (await Promise.all(exchanges)).flat()
  const valuesOf = (name: string) => new Set(values.filter((each) => each.name === name).map(({ value }) => value))
  const tokens = new Map(values.filter(({ name }) => tokenNames.has(name)).map(({ name, value }) => [value, name]))
  const addresses = valuesOf('address')
  return [
    ...[...tokens].map(([value, name]) => textCanary(name, value)),
    ...[...randoms].flatMap((hex) => randomCanaries(Buffer.from(hex, 'hex'), addresses)),
    ...(await mailCanaries(valuesOf('email'), urls)),
  ]
}

/** Ids have as many random bytes as entropy, but no account belongs to them. */
function randomCanaries(bytes: Uint8Array, addresses: ReadonlySet<string>): readonly Canary[] {
  if (bytes.length !== entropyBytes) return [bytesCanary('a random key', bytes)]
  return addresses.has(walletAddress(bytes)) ? walletCanaries(bytes) : []
}

/** The codes and link secrets that were mailed to the addresses of the test. */
async function mailCanaries(addresses: ReadonlySet<string>, { mailbox }: Urls): Promise<readonly Canary[]> {
  if (addresses.size === 0) return []
  const url = `${mailbox}/mails.json`
  // The mailbox may close a reused connection at this moment.
  const response = await fetch(url).catch(() => fetch(url))
  const mails = (await response.json()) as readonly Mail[]
  const texts = mails.filter(({ to }) => to.some((each) => addresses.has(each))).map(({ text }) => text)
  return texts.flatMap((text) => [
    ...[...text.matchAll(/\b\d{6}\b/g)].map(([code]) => codeCanary(code)),
    ...[...text.matchAll(/[?&]secret=([\w-]{20,})/g)].map(([, secret = '']) =>
      textCanary('the secret of a link', secret),
    ),
  ])
}

const randomMark = 'latchkey-random '

function recordConsole(context: BrowserContext, { complaints, lines, randoms }: Records): void {
  context.on('weberror', (error) => {
    complaints.push(error.error().message)
    lines.push({ name: 'an error', text: `${error.error().message} ${error.error().stack ?? ''}` })
  })
  context.on('console', (message: ConsoleMessage) => {
    const text = message.text()
    if (text.startsWith(randomMark)) return void randoms.add(text.slice(randomMark.length))
    lines.push({ name: 'the console', text })
    const isOurs = message.type() === 'error' && /^(Policy|Unhandled|Warning|Error)/.test(text)
    if (isOurs || isRefused(text)) complaints.push(text)
  })
}

/** Learns the random bytes that the wallet's workers make keys of. Wallets are created long after the workers start. */
function watchWorkers(page: Page, { frame }: Urls): void {
  page.on('worker', (worker) => {
    if (!worker.url().startsWith(frame)) return
    // A worker may end at once, with its page.
    worker.evaluate(recordRandoms, randomMark).catch(() => undefined)
  })
}

function recordRandoms(mark: string): void {
  const { getRandomValues } = Crypto.prototype
  Crypto.prototype.getRandomValues = function getNotedValues<view extends ArrayBufferView | null>(view: view): view {
    // The types of the original are overloaded.
    const filled = Reflect.apply(getRandomValues, this, [view]) as view
    if (filled instanceof Uint8Array && (filled.length === 16 || filled.length === 32)) {
      console.debug(mark + Array.from(filled, (byte) => byte.toString(16).padStart(2, '0')).join(''))
    }
    return filled
  }
}

/** Records the browser's own messages, including those of workers. Ignores refused embedding, which frames do by design. */
function isRefused(text: string): boolean {
  return /content security policy|trusted type/i.test(text) && !text.includes('frame-ancestors')
}

function recordComplaints(): void {
  addEventListener('securitypolicyviolation', (event) => console.error(`Policy: ${event.violatedDirective}`))
  addEventListener('unhandledrejection', (event) => console.error(`Unhandled: ${String(event.reason)}`))
}

/** Records all messages from the frame to its parent page, by window and by ports. */
function recordMessages(frame: string): void {
  if (location.host === frame) return
  /** JSON drops bytes, collections and errors, in which a secret may hide. */
  const plain = (_: string, value: unknown): unknown => {
    if (value instanceof ArrayBuffer) return Array.from(new Uint8Array(value))
    if (ArrayBuffer.isView(value)) return Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    if (value instanceof Map || value instanceof Set) return [...value]
    if (value instanceof Error) return [value.message, value.stack, value.cause]
    return typeof value === 'bigint' ? `${value}n` : value
  }
  const record = (data: unknown): void => {
    const report: unknown = Reflect.get(globalThis, 'latchkeyReport')
    if (typeof report === 'function') void report(JSON.stringify(data, plain) ?? '')
  }
  addEventListener('message', ({ data, origin }) => void (new URL(origin).host === frame && record(data)), true)
  const { start } = MessagePort.prototype
  MessagePort.prototype.start = function startNoted() {
    this.addEventListener('message', ({ data }) => record(data))
    return start.call(this)
  }
}
