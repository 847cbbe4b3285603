import type { Frame, Page } from '@playwright/test'
import { someAddress } from './embeddedLogin.ts'
import { expect } from './fixtures.ts'
import { answerTo, ask, heardBy, say, startHost } from './frameHost.ts'
import { logIn, projectId, ready, sdk, test } from './frameLogin.ts'

test('a page that is allowed speaks with the frame, logs in, and is told who that is', async ({ dapp, urls }) => {
  expect(await ask(dapp, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  const address = someAddress()
  await logIn(dapp, urls, address)
  expect(await ask(dapp, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
  const { payload } = await ask(dapp, 'GET_USER', { chainId: 'eip155:31337' })
  expect(payload).toMatchObject({ email: address, chainId: 'eip155:31337', address: expect.stringMatching(/^0x/) })
  // Nothing but the fields of the protocol ever leaves the frame [I-08].
  const known = ['action', 'match', 'isConnected', 'email', 'address', 'chainId', 'accounts', 'smartAccountDeployed']
  const fields = (await heardBy(dapp)).flatMap(({ payload: told = {} }) => Object.keys(told))
  expect(fields.filter((field) => ![...known, 'preferredAccountType', 'open', 'height'].includes(field))).toEqual([])
})

/** Sites that are not allowed, among them such as begin like one that is. */
const foreignNames = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']

/** What Chromium says whenever the frame's own policy keeps it out of a page. */
function refusals(page: Page): string[] {
  const said: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('frame-ancestors')) said.push(message.text())
  })
  return said
}

const isBlocked = (frame: Frame): boolean => frame.url().startsWith('chrome-error:')

test('a page that is not allowed cannot hold the frame, and hears nothing [I-01]', async ({ page, host, urls }) => {
  const said = refusals(page)
  for (const name of foreignNames) {
    await page.goto(`http://${name}:${host.port}/?frame=${encodeURIComponent(sdk(urls))}`)
    await expect.poll(() => said.splice(0), name).toEqual([expect.stringContaining(urls.frame)])
    await expect.poll(() => page.frames().some(isBlocked), name).toBe(true)
    await say(page, { type: '@w3m-app/IS_CONNECTED', id: 'evil' })
    expect(await heardBy(page), name).toEqual([])
  }
})

test('nor can one that is allowed, while a foreign page holds it [I-02]', async ({ page, host, urls }) => {
  const said = refusals(page)
  const inner = `${host.origin}/?frame=${encodeURIComponent(sdk(urls))}`
  await page.goto(`http://evil.example:${host.port}/?frame=${encodeURIComponent(inner)}`)
  await expect.poll(() => said).toEqual([expect.stringContaining(urls.frame)])
  const dapp = page.frame({ url: inner })
  await expect.poll(() => dapp?.childFrames().map(isBlocked)).toEqual([true])
  if (dapp === null) return
  await say(dapp, { type: '@w3m-app/IS_CONNECTED', id: 'inner' })
  expect([...(await heardBy(page)), ...(await heardBy(dapp))]).toEqual([])
  // Held by nobody but itself, the very same page is answered.
  await page.goto(inner)
  await ready(page)
})

test('windows other than the parent are not heard [I-04]', async ({ dapp, urls }) => {
  const before = (await heardBy(dapp)).length
  // A frame beside it, of the same page, and with the very words.
  await dapp.evaluate(() => {
    const beside = document.createElement('iframe')
    beside.srcdoc = `<script>parent.frames[0].postMessage({ type: '@w3m-app/SIGN_OUT', id: 'beside' }, '*')</script>`
    document.body.append(beside)
  })
  const popup = dapp.waitForEvent('popup')
  await dapp.evaluate(() => void open('about:blank'))
  await (
    await popup
  ).evaluate(
    (origin) => void opener.frames[0].postMessage({ type: '@w3m-app/SIGN_OUT', id: 'opened' }, origin),
    urls.frame,
  )
  expect(await ask(dapp, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  expect((await heardBy(dapp)).slice(before).map(({ id }) => id)).not.toContain('beside')
  expect((await heardBy(dapp)).slice(before).map(({ id }) => id)).not.toContain('opened')
})

test('ten thousand messages that make no sense get one error each at the most, and the frame answers on [I-05]', async ({
  dapp,
}) => {
  await ask(dapp, 'IS_CONNECTED')
  const flood = Array.from({ length: 10_000 }, (_, at) =>
    at % 2 === 0
      ? { type: '@w3m-app/RPC_REQUEST', id: `flood-${at}`, payload: { method: 7, ['__proto__']: { a: 1 } } }
      : { type: '@w3m-app/IS_CONNECTED', id: `flood-${at}` },
  )
  await say(dapp, ...flood)
  await say(dapp, ...['', '__proto__', 'x'.repeat(65)].map((id) => ({ type: '@w3m-app/IS_CONNECTED', id })))
  await answerTo(dapp, 'flood-9999')
  const ids = (await heardBy(dapp)).flatMap(({ id }) => (id === undefined ? [] : [id]))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).not.toContain('')
  await expect.poll(async () => (await ask(dapp, 'IS_CONNECTED')).payload).toEqual({ isConnected: false })
})

test('a port is taken once, and everything is said through it from then on [I-06]', async ({ dapp }) => {
  const told = await dapp.evaluate(async (id) => {
    const frame = document.querySelector('iframe')?.contentWindow
    const greet = (name: string): Promise<string | undefined> => {
      const { port1, port2 } = new MessageChannel()
      const answer = new Promise<string | undefined>((resolve) => {
        port1.addEventListener('message', ({ data }) => resolve(data.type))
        setTimeout(() => resolve(undefined), 500)
      })
      port1.start()
      frame?.postMessage({ type: '@w3m-app/SYNC_DAPP_DATA', id: name, payload: { projectId: id } }, '*', [port2])
      return answer
    }
    return [await greet('first'), await greet('second')]
  }, projectId)
  expect(told).toEqual(['@w3m-frame/SYNC_DAPP_DATA_SUCCESS', undefined])
})

test('what a page lies about is not used: another project, another node [I-07]', async ({ dapp, urls }) => {
  const requests: string[] = []
  dapp.on('request', (request) => requests.push(request.url()))
  const other = await ask(dapp, 'SYNC_DAPP_DATA', {
    projectId: 'cd'.repeat(16),
    metadata: { url: 'https://bank.example' },
  })
  expect(other.type).toBe('@w3m-frame/SYNC_DAPP_DATA_ERROR')
  await logIn(dapp, urls, someAddress())
  const asked = { method: 'eth_blockNumber', params: [], chainId: 1, rpcUrl: 'http://evil.example/' }
  expect((await ask(dapp, 'RPC_REQUEST', asked)).payload).toMatchObject({ code: 4902 })
  const { payload } = await ask(dapp, 'RPC_REQUEST', { ...asked, chainId: 31_337 })
  expect(payload).toMatch(/^0x/)
  expect(requests.filter((url) => url.includes('evil.example'))).toEqual([])
})

test('an approval that is given up is gone, and the next one is asked [I-12]', async ({ dapp, urls }) => {
  await logIn(dapp, urls, someAddress())
  const { payload } = await ask(dapp, 'GET_USER', { chainId: 'eip155:31337' })
  const request = { method: 'personal_sign', params: ['0x68656c6c6f', payload?.['address']] }
  for (const id of ['one', 'two']) {
    await say(dapp, { type: '@w3m-app/RPC_REQUEST', id, payload: request })
    const screen = dapp.frameLocator('iframe')
    await expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
    expect((await ask(dapp, 'RPC_REQUEST', { method: 'eth_chainId' })).payload).toBe('0x7a69')
    await ask(dapp, 'RPC_ABORT', { id })
    expect(await answerTo(dapp, id)).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
    await expect(screen.getByRole('heading', { level: 1 })).toHaveCount(0)
  }
})

test('a theme with anything but colours and lengths is refused, and asks for nothing [I-14]', async ({ dapp }) => {
  const requests: string[] = []
  dapp.on('request', (request) => requests.push(request.url()))
  for (const value of [
    'url(http://evil.example/x)',
    '</style><script>1</script>',
    'red; background: blue',
    'x'.repeat(300),
  ]) {
    const { type } = await ask(dapp, 'SYNC_THEME', { themeVariables: { '--latchkey-accent': value } })
    expect(type).toBe('@w3m-frame/SYNC_THEME_ERROR')
  }
  expect(
    (await ask(dapp, 'SYNC_THEME', { themeMode: 'dark', themeVariables: { '--latchkey-accent': '#ff0000' } })).type,
  ).toBe('@w3m-frame/SYNC_THEME_SUCCESS')
  expect(requests).toEqual([])
})

test('a script that gets into the frame’s page as text does not run [I-15]', async ({ dapp, complaints }) => {
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

test('who has logged in here is asked before another page sees the accounts', async ({ dapp, urls, context }) => {
  const address = someAddress()
  await logIn(dapp, urls, address)
  const other = await startHost()
  const page = await context.newPage()
  await page.goto(`${other.origin}/?frame=${encodeURIComponent(sdk(urls))}`)
  await ready(page)
  expect(await ask(page, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  expect((await ask(page, 'GET_USER')).payload).toMatchObject({ code: 4100 })
  await say(page, { type: '@w3m-app/CONNECT_EMAIL', id: 'mail', payload: { email: address } })
  const screen = page.frameLocator('iframe')
  const allow = screen.getByRole('button', { name: 'Connect' })
  // It counts once it has been seen for half a second, with the pointer there.
  await allow.hover()
  await expect(screen.locator('#stage')).toHaveAttribute('data-armed', 'true')
  await allow.click()
  expect(await answerTo(page, 'mail')).toMatchObject({ payload: { action: 'CONNECT' } })
  expect((await ask(page, 'GET_USER')).payload).toMatchObject({ email: address })
  await other.close()
})
