import type { BrowserContext, Frame, Page } from '@playwright/test'
import { someAddress } from '../support/embeddedLogin.ts'
import { expect } from '../support/fixtures.ts'
import { responseTo, sendRequest, receivedBy, postMessages, startHost } from '../support/frameHost.ts'
import { logIn, projectId, waitUntilFrameReady, createSdkUrl, test } from '../support/frameLogin.ts'

test('allowed page connects to the frame, logs in and receives the user', async ({ dapp, urls }) => {
  expect(await sendRequest(dapp, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  const address = someAddress()
  await logIn(dapp, urls, address)
  expect(await sendRequest(dapp, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
  const { payload } = await sendRequest(dapp, 'GET_USER', { chainId: 'eip155:31337' })
  expect(payload).toMatchObject({ email: address, chainId: 'eip155:31337', address: expect.stringMatching(/^0x/) })
  // Only the fields of the protocol leave the frame [I-08].
  const known = ['action', 'match', 'isConnected', 'email', 'address', 'chainId', 'accounts', 'smartAccountDeployed']
  const fields = (await receivedBy(dapp)).flatMap(({ payload = {} }) => Object.keys(payload))
  expect(fields.filter((field) => ![...known, 'preferredAccountType', 'open', 'height'].includes(field))).toEqual([])
})

/** Sites that are not allowed. Some begin like an allowed one. */
const hostileNames = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']

/** Chromium's message if the frame's own policy keeps it out of a page. */
function recordRefusals(page: Page): string[] {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('frame-ancestors')) refused.push(message.text())
  })
  return refused
}

/** The URLs that all pages and workers of a browser request. */
function requestsOf(context: BrowserContext): string[] {
  const urls: string[] = []
  context.on('request', (request) => urls.push(request.url()))
  return urls
}

const isBlocked = (frame: Frame): boolean => frame.url().startsWith('chrome-error:')

test(
  'disallowed page can not embed the frame and receives no messages [I-01]',
  { tag: '@chromium' },
  async ({ page, host, urls }) => {
    const refused = recordRefusals(page)
    for (const name of hostileNames) {
      await page.goto(`http://${name}:${host.port}/?frame=${encodeURIComponent(createSdkUrl(urls))}`)
      await expect.poll(() => refused.splice(0), name).toEqual([expect.stringContaining(urls.frame)])
      await expect.poll(() => page.frames().some(isBlocked), name).toBe(true)
      await postMessages(page, { type: '@w3m-app/IS_CONNECTED', id: 'evil' })
      expect(await receivedBy(page), name).toEqual([])
    }
  },
)

test(
  'allowed page inside a disallowed page can not embed the frame [I-02]',
  { tag: '@chromium' },
  async ({ page, host, urls }) => {
    const refused = recordRefusals(page)
    const inner = `${host.origin}/?frame=${encodeURIComponent(createSdkUrl(urls))}`
    await page.goto(`http://evil.example:${host.port}/?frame=${encodeURIComponent(inner)}`)
    await expect.poll(() => refused).toEqual([expect.stringContaining(urls.frame)])
    const dapp = page.frame({ url: inner })
    await expect.poll(() => dapp?.childFrames().map(isBlocked)).toEqual([true])
    if (dapp === null) return
    await postMessages(dapp, { type: '@w3m-app/IS_CONNECTED', id: 'inner' })
    expect([...(await receivedBy(page)), ...(await receivedBy(dapp))]).toEqual([])
    // The same page gets a response if no other page embeds it.
    await page.goto(inner)
    await waitUntilFrameReady(page)
  },
)

test('messages from windows other than the parent are ignored [I-04]', async ({ dapp, urls }) => {
  const before = (await receivedBy(dapp)).length
  // A sibling frame of the same page sends the same message.
  await dapp.evaluate(() => {
    const sibling = document.createElement('iframe')
    sibling.srcdoc = `<script>parent.frames[0].postMessage({ type: '@w3m-app/SIGN_OUT', id: 'sibling' }, '*')</script>`
    document.body.append(sibling)
  })
  const popup = dapp.waitForEvent('popup')
  await dapp.evaluate(() => void open('about:blank'))
  await (
    await popup
  ).evaluate(
    (origin) => void opener.frames[0].postMessage({ type: '@w3m-app/SIGN_OUT', id: 'opened' }, origin),
    urls.frame,
  )
  expect(await sendRequest(dapp, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  expect((await receivedBy(dapp)).slice(before).map(({ id }) => id)).not.toContain('sibling')
  expect((await receivedBy(dapp)).slice(before).map(({ id }) => id)).not.toContain('opened')
})

test(
  'ten thousand malformed messages get at most one error each, and the frame keeps responding [I-05]',
  { tag: '@long' },
  async ({ dapp }) => {
    await sendRequest(dapp, 'IS_CONNECTED')
    const flood = Array.from({ length: 10_000 }, (_, at) =>
      at % 2 === 0
        ? { type: '@w3m-app/RPC_REQUEST', id: `flood-${at}`, payload: { method: 7, ['__proto__']: { a: 1 } } }
        : { type: '@w3m-app/IS_CONNECTED', id: `flood-${at}` },
    )
    await postMessages(dapp, ...flood)
    await postMessages(dapp, ...['', '__proto__', 'x'.repeat(65)].map((id) => ({ type: '@w3m-app/IS_CONNECTED', id })))
    await responseTo(dapp, 'flood-9999')
    const ids = (await receivedBy(dapp)).flatMap(({ id }) => (id === undefined ? [] : [id]))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).not.toContain('')
    await expect.poll(async () => (await sendRequest(dapp, 'IS_CONNECTED')).payload).toEqual({ isConnected: false })
  },
)

test('frame accepts one message port and ignores a second one [I-06]', async ({ dapp }) => {
  const payload = await dapp.evaluate(async (id) => {
    const frame = document.querySelector('iframe')?.contentWindow
    const greet = (name: string): Promise<string | undefined> => {
      const { port1, port2 } = new MessageChannel()
      const response = new Promise<string | undefined>((resolve) => {
        port1.addEventListener('message', ({ data }) => resolve(data.type))
        setTimeout(() => resolve(undefined), 500)
      })
      port1.start()
      frame?.postMessage({ type: '@w3m-app/SYNC_DAPP_DATA', id: name, payload: { projectId: id } }, '*', [port2])
      return response
    }
    return [await greet('first'), await greet('second')]
  }, projectId)
  expect(payload).toEqual(['@w3m-frame/SYNC_DAPP_DATA_SUCCESS', undefined])
})

test('greeting of another project is refused [I-07]', async ({ dapp }) => {
  const other = await sendRequest(dapp, 'SYNC_DAPP_DATA', {
    projectId: 'cd'.repeat(16),
    metadata: { name: 'Bank', url: 'https://bank.example' },
  })
  expect(other.type).toBe('@w3m-frame/SYNC_DAPP_DATA_ERROR')
})

test(
  'accepted greeting with false names and addresses causes no request and no false origin [I-07]',
  { tag: '@chromium' },
  async ({ dapp, urls, host }) => {
    const requests = requestsOf(dapp.context())
    const lie = {
      projectId,
      metadata: {
        name: 'Bank of Evil',
        description: 'http://evil.example/',
        url: 'https://bank.example',
        icons: ['http://evil.example/icon.png'],
        redirect: { universal: 'http://evil.example/' },
      },
      origin: 'https://bank.example',
      rpcUrl: 'http://evil.example/',
      sdkVersion: 'http://evil.example/',
    }
    expect((await sendRequest(dapp, 'SYNC_DAPP_DATA', lie)).type).toBe('@w3m-frame/SYNC_DAPP_DATA_SUCCESS')
    await logIn(dapp, urls, someAddress())
    const request = { method: 'eth_blockNumber', params: [], chainId: 1, rpcUrl: 'http://evil.example/' }
    expect((await sendRequest(dapp, 'RPC_REQUEST', request)).payload).toMatchObject({ code: 4902 })
    expect((await sendRequest(dapp, 'RPC_REQUEST', { ...request, chainId: 31_337 })).payload).toMatch(/^0x/)
    const { payload } = await sendRequest(dapp, 'GET_USER', { chainId: 'eip155:31337' })
    const params = ['0x68656c6c6f', payload?.['address']]
    await postMessages(dapp, {
      type: '@w3m-app/RPC_REQUEST',
      id: 'sign',
      payload: { method: 'personal_sign', params, rpcUrl: 'http://evil.example/' },
    })
    const screen = dapp.frameLocator('iframe')
    await expect(screen.getByRole('heading', { name: 'Sign a message' })).toBeVisible()
    await expect(screen.locator('.origin')).toHaveText(host.origin)
    await expect(screen.locator('body')).not.toContainText(/bank|evil/i)
    expect(requests.filter((url) => /evil\.example|bank\.example/.test(url))).toEqual([])
  },
)

test('aborted approval disappears, and the next request is shown [I-12]', async ({ dapp, urls }) => {
  await logIn(dapp, urls, someAddress())
  const { payload } = await sendRequest(dapp, 'GET_USER', { chainId: 'eip155:31337' })
  const request = { method: 'personal_sign', params: ['0x68656c6c6f', payload?.['address']] }
  for (const id of ['one', 'two']) {
    await postMessages(dapp, { type: '@w3m-app/RPC_REQUEST', id, payload: request })
    const screen = dapp.frameLocator('iframe')
    await expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
    expect((await sendRequest(dapp, 'RPC_REQUEST', { method: 'eth_chainId' })).payload).toBe('0x7a69')
    await sendRequest(dapp, 'RPC_ABORT', { id })
    expect(await responseTo(dapp, id)).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
    await expect(screen.getByRole('heading', { level: 1 })).toHaveCount(0)
  }
})

test('theme with values other than colors and lengths is rejected without network requests [I-14]', async ({
  dapp,
}) => {
  const requests: string[] = []
  dapp.on('request', (request) => requests.push(request.url()))
  for (const value of [
    'url(http://evil.example/x)',
    '</style><script>1</script>',
    'red; background: blue',
    'x'.repeat(300),
  ]) {
    const { type } = await sendRequest(dapp, 'SYNC_THEME', { themeVariables: { '--latchkey-accent': value } })
    expect(type).toBe('@w3m-frame/SYNC_THEME_ERROR')
  }
  expect(
    (await sendRequest(dapp, 'SYNC_THEME', { themeMode: 'dark', themeVariables: { '--latchkey-accent': '#ff0000' } }))
      .type,
  ).toBe('@w3m-frame/SYNC_THEME_SUCCESS')
  expect(requests).toEqual([])
})

test('inline script injected into the frame is blocked [I-15]', async ({ dapp, complaints }) => {
  const frame = dapp.frames().find((each) => each.url().includes('/sdk'))
  const outcome = await frame?.evaluate(() => {
    try {
      const script = document.createElement('script')
      script.textContent = 'globalThis.wasRun = true'
      document.body.append(script)
    } catch {
      return 'refused'
    }
    return Reflect.get(globalThis, 'wasRun') === true ? 'run' : 'blocked'
  })
  expect(outcome).not.toBe('run')
  await expect.poll(() => complaints.splice(0)).toContainEqual(expect.stringContaining('Policy: '))
})

test(
  'second site gets no accounts of a logged-in user before the user allows it',
  { tag: '@chromium' },
  async ({ dapp, urls, context }) => {
    const address = someAddress()
    await logIn(dapp, urls, address)
    const other = await startHost()
    const page = await context.newPage()
    await page.goto(`${other.origin}/?frame=${encodeURIComponent(createSdkUrl(urls))}`)
    await waitUntilFrameReady(page)
    expect(await sendRequest(page, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
    expect((await sendRequest(page, 'GET_USER')).payload).toMatchObject({ code: 4100 })
    await postMessages(page, { type: '@w3m-app/CONNECT_EMAIL', id: 'mail', payload: { email: address } })
    const screen = page.frameLocator('iframe')
    const allow = screen.getByRole('button', { name: 'Connect' })
    // A click counts once the button was visible for half a second under the pointer.
    await allow.hover()
    await expect(screen.locator('#stage')).toHaveAttribute('data-armed', 'true')
    await allow.click()
    expect(await responseTo(page, 'mail')).toMatchObject({ payload: { action: 'CONNECT' } })
    expect((await sendRequest(page, 'GET_USER')).payload).toMatchObject({ email: address })
    await other.close()
  },
)
