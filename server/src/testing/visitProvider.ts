/** The user's response on a provider's page: an identity, or a refusal. */
export type ProviderUser = { name: string; email: string; verified?: boolean } | 'deny'

/** The redirect from a provider to us: the URL, and the fields of a form. */
export type ProviderCallback = { readonly url: URL; readonly form: URLSearchParams | undefined }

const mostSteps = 12

/**
 * Visits the pages of a provider of the local world like a browser: follows redirects, stores cookies, and submits the
 * form. Stops at the redirect to us.
 *
 * @throws Error for a redirect loop or an unknown page
 * @example const { url } = await visitProvider(uri, { name: 'Ann', email: 'ann@example.org' })
 */
export async function visitProvider(uri: string, user: ProviderUser): Promise<ProviderCallback> {
  const cookies = new Map<string, string>()
  let next: { url: URL; body?: URLSearchParams } = { url: new URL(uri) }
  for (let step = 0; step < mostSteps; step += 1) {
    const { url, body } = next
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      body: body ?? null,
      headers: { cookie },
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) storeCookie(cookies, line)
    const text = await response.text()
    const location = response.headers.get('location')
    if (location !== null) {
      const target = new URL(location, url)
      if (isOurs(target)) return { url: target, form: undefined }
      next = { url: target }
      continue
    }
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1]
    const target = new URL(unescape(action ?? ''), url)
    if (isOurs(target)) return { url: target, form: fieldsOf(text) }
    if (!text.includes('name="decision"'))
      throw new Error(`The provider shows something else: ${response.status} ${text.slice(0, 200)}`)
    next = { url, body: responseOf(user) }
  }
  throw new Error('The provider redirects in a loop.')
}

/** Follows the redirect to us, as the browser would. */
export function followCallback(
  { url, form }: ProviderCallback,
  headers: Record<string, string> = {},
): Promise<Response> {
  return form === undefined ? fetch(url, { headers }) : fetch(url, { method: 'POST', body: form, headers })
}

/** The secret that the page at the end of a login passes to the frame in its own browser. */
export function secretOf(page: string): string | undefined {
  return /name="secret" value="([^"]+)"/.exec(page)?.[1]
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';', 1)
  const at = pair.indexOf('=')
  cookies.set(pair.slice(0, at), pair.slice(at + 1))
}

function isOurs({ pathname }: URL): boolean {
  return pathname.startsWith('/auth/v1/social/') || pathname.startsWith('/shares/v1/social/')
}

/** Returns the hidden fields of a form that submits itself. */
function fieldsOf(text: string): URLSearchParams {
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return new URLSearchParams(fields.map(([, name = '', value = '']) => [name, unescape(value)]))
}

function responseOf(user: ProviderUser): URLSearchParams {
  if (user === 'deny') return new URLSearchParams({ decision: 'deny' })
  const { name, email, verified = true } = user
  return new URLSearchParams({ decision: 'allow', name, email, ...(verified && { verified: 'on' }) })
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** Logs in at the share store's own provider login, and returns the code of its last page. */
export async function visitForCode(uri: string, user: ProviderUser): Promise<string | undefined> {
  const page = await (await followCallback(await visitProvider(uri, user))).text()
  return /data-code="(\d{8})"/.exec(page)?.[1]
}
