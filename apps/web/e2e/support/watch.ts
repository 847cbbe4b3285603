import type { Browser, BrowserContext, Request } from '@playwright/test'

/** The records that every test checks. */
export type Watch = {
  /** All errors of pages: uncaught errors, unhandled rejections, policy violations. */
  readonly complaints: string[]
  /** Secrets between the wallet's services and its frame that the frame leaked to a page. */
  leaks(): Promise<readonly string[]>
}

/** Watches a test's browsers until `end`: the given one, and those that the test opens. */
export async function watchBrowsers(
  browser: Browser,
  context: BrowserContext,
  urls: { readonly server: string; readonly frame: string },
): Promise<Watch & { end(): void }> {
  const complaints: string[] = []
  const told: string[] = []
  const secrets: Array<Promise<readonly Secret[]>> = []
  const watch = async (each: BrowserContext): Promise<void> => {
    hearComplaints(each, complaints)
    each.on('requestfinished', (request) => {
      if (new URL(request.url()).origin === urls.server) secrets.push(secretsOf(request))
    })
    await each.addInitScript(noteComplaints)
    await each.exposeBinding('latchkeyTold', (_, text: string) => void told.push(text))
    await each.addInitScript(noteMessages, new URL(urls.frame).host)
  }
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const opened = await open(options)
    await watch(opened)
    return opened
  }
  await watch(context)
  return {
    complaints,
    async leaks() {
      const known = (await Promise.all(secrets)).flat()
      return told.flatMap((text) =>
        known.filter(({ value }) => text.includes(value)).map(({ name }) => `${name} in ${text}`),
      )
    },
    end: () => void (browser.newContext = open),
  }
}

function hearComplaints(context: BrowserContext, complaints: string[]): void {
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    const text = message.text()
    const isOurs = message.type() === 'error' && /^(Policy|Unhandled|Warning|Error)/.test(text)
    if (isOurs || isRefused(text)) complaints.push(text)
  })
}

/** Records the browser's own messages, including those of workers. Ignores refused embedding, which frames do by design. */
function isRefused(text: string): boolean {
  return /content security policy|trusted type/i.test(text) && !text.includes('frame-ancestors')
}

function noteComplaints(): void {
  addEventListener('securitypolicyviolation', (event) => console.error(`Policy: ${event.violatedDirective}`))
  addEventListener('unhandledrejection', (event) => console.error(`Unhandled: ${String(event.reason)}`))
}

/** Records all messages from the frame to its parent page, by window and by ports. */
function noteMessages(frame: string): void {
  if (location.host === frame) return
  const tell = (data: unknown): void => {
    const told: unknown = Reflect.get(globalThis, 'latchkeyTold')
    if (typeof told === 'function') void told(JSON.stringify(data))
  }
  addEventListener('message', ({ data, origin }) => void (new URL(origin).host === frame && tell(data)), true)
  const { start } = MessagePort.prototype
  MessagePort.prototype.start = function startNoted() {
    this.addEventListener('message', ({ data }) => tell(data))
    return start.call(this)
  }
}

/** A value of an exchange and its field name. */
type Secret = { readonly name: string; readonly value: string }

/** Shorter texts may appear anywhere by chance. */
const shortest = 20
/** Fields that pages may know: the identity, the address where a login continues, the nonce that the provider signs, and the error. */
const open: ReadonlySet<string> = new Set([
  'uri',
  'url',
  'email',
  'userName',
  'origin',
  'nonce',
  'address',
  'description',
])
const services = /^\/(auth|shares)\//

/** The tokens, shares, keys and proofs of one exchange. */
async function secretsOf(request: Request): Promise<readonly Secret[]> {
  if (!services.test(new URL(request.url()).pathname)) return []
  const response = await request.response()
  const answer = await response?.text().catch(() => '')
  const { authorization = '', dpop = '' } = request.headers()
  const headers = [
    { name: 'authorization', value: authorization.replace('DPoP ', '') },
    { name: 'dpop', value: dpop },
  ]
  const bodies = [request.postData() ?? '', answer ?? ''].flatMap(leavesOf)
  return [...headers, ...bodies].filter(({ value }) => value.length >= shortest)
}

function leavesOf(json: string): readonly Secret[] {
  const leaves: Secret[] = []
  try {
    JSON.parse(json, (name, value: unknown) => {
      if (typeof value === 'string' && !open.has(name)) leaves.push({ name, value })
      return value
    })
  } catch {
    // A page, or nothing.
  }
  return leaves
}
