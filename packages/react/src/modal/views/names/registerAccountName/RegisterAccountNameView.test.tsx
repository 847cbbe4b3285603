import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeNetwork, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { closeModal, openModal } from '@latchkey/modal'
import { namesMessages } from '@latchkey/modal/messages'
import { type AccountId, requestError } from '@latchkey/protocol'
import axe from 'axe-core'
import { expect, onTestFinished, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer } from '../../../../testing/fakeServer.ts'
import { enterGarbage } from '../../../../testing/enterGarbage.ts'
import { gapsOf } from '../../../../testing/gapsOf.ts'

const en = namesMessages.english

const account: AccountId = `eip155:1:0x${'a1'.repeat(20)}`

type NameServer = {
  zones: readonly string[]
  registered: Set<string>
  /** The rejection of every registration. */
  refusal: { status: number; field: string; description: string } | undefined
  /** Registrations so far, and the names that were looked up. */
  sent: string[]
  requests: string[]
  down: boolean
}

/** A complete fake server that also registers names. */
function nameServer(): NameServer & { url: string; projectId: string } {
  const { url, projectId } = fakeServer()
  const names: NameServer = {
    zones: ['latchkey.test'],
    registered: new Set(['taken.latchkey.test']),
    refusal: undefined,
    sent: [],
    requests: [],
    down: false,
  }
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (!pathname.startsWith('/v1/profile/')) return fetch(input, init)
    if (names.down) throw new TypeError('Connection refused.')
    return respond(names, pathname, init?.body)
  }
  return Object.assign(names, { url, projectId })
}

function respond(names: NameServer, pathname: string, body: RequestInit['body']): Response {
  if (pathname === '/v1/profile/zones') return Response.json({ zones: names.zones, now: 0 })
  if (pathname.startsWith('/v1/profile/reverse/')) {
    return Response.json(names.sent.map((name) => ({ name, addresses: {} })))
  }
  if (pathname.startsWith('/v1/profile/suggestions/')) {
    const label = pathname.slice(pathname.lastIndexOf('/') + 1)
    names.requests.push(label)
    const all = [label, `${label}-key`, `${label}-home`].map((each) => `${each}.latchkey.test`)
    return Response.json({ suggestions: all.map((name) => ({ name, registered: names.registered.has(name) })) })
  }
  if (pathname.startsWith('/v1/profile/offers/')) return Response.json([])
  if (names.refusal !== undefined) {
    const { status, ...reason } = names.refusal
    return Response.json({ status: 'FAILED', reasons: [reason] }, { status })
  }
  // Written by the client, whose form other tests prove.
  const { name } = JSON.parse((JSON.parse(String(body)) as { message: string }).message) as { name: string }
  names.sent.push(name)
  return Response.json({ name, addresses: {} })
}

type RenderedWorld = FakeWorld & {
  screen: RenderResult
  names: NameServer
  /** The signature requests of the wallet, and its response. */
  signing: { requests: number; respond: () => Promise<string> }
}

type NamingOptions = {
  view?: 'RegisterAccountName' | 'AccountSettings'
  locale?: string
  prepare?(names: NameServer): void
}

async function renderView({
  view = 'RegisterAccountName',
  locale,
  prepare,
}: NamingOptions = {}): Promise<RenderedWorld> {
  const names = nameServer()
  prepare?.(names)
  const signing = { requests: 0, respond: () => Promise.resolve('0x12') }
  const adapter = {
    ...fakeAdapter({ networks: [fakeNetwork({ id: 1 })] }),
    signMessage: () => {
      signing.requests += 1
      return signing.respond()
    },
  }
  const { url, projectId } = names as NameServer & { url: string; projectId: string }
  const connectors = [fakeConnector({ accounts: [account] })]
  const world = fakeWorld({ adapters: [adapter], connectors, server: url, projectId })
  await connect(world.latchkey, 'fake')
  const screen = await renderModal(world.latchkey, { view, params: {} }, { locale })
  return { ...world, screen, names, signing }
}

const getNameField = ({ screen }: RenderedWorld) => screen.getByRole('textbox', { name: 'Name' })
const getButton = ({ screen }: RenderedWorld) => screen.getByRole('button', { name: 'Register', exact: true })

/** Types, and lets half a second go by. */
async function typeName(naming: RenderedWorld, text: string): Promise<void> {
  await getNameField(naming).fill(text)
  naming.clock.advance(500)
}

test('no entry breaks the field of a name [R5.6.1]', { tags: 'browsers' }, async () => {
  const here = await renderView()
  expect(await enterGarbage(here.latchkey, getNameField(here), async () => here.clock.advance(500))).toEqual([])
})

test('a name is registered from the settings and shown in the account [R1.6] [R2.2]', async () => {
  const here = await renderView({ view: 'AccountSettings' })
  const { screen, names, signing } = here
  await screen.getByRole('button', { name: 'Choose a name .latchkey.test' }).click()
  await expect.element(screen.getByText('A name instead of an address')).toBeVisible()
  await expect.element(screen.getByText(/ends in \.latchkey\.test/)).toBeVisible()
  await screen.getByRole('button', { name: 'Choose a name', exact: true }).click()
  await expect.poll(() => modalRoot().activeElement === getNameField(here).query()).toBe(true)
  await typeName(here, 'Visitor-7')
  await expect.element(screen.getByText('This name is available.')).toBeVisible()
  await getButton(here).click()
  await expect.element(screen.getByText('visitor-7.latchkey.test')).toBeVisible()
  await expect.element(screen.getByRole('heading', { name: 'The name is yours' })).toBeInTheDocument()
  expect([names.sent, signing.requests]).toEqual([['visitor-7.latchkey.test'], 1])
  await screen.getByRole('button', { name: 'Go to account' }).click()
  await expect.element(screen.getByText('visitor-7.latchkey.test')).toBeVisible()
  await screen.getByRole('button', { name: 'Account settings' }).click()
  await expect.element(screen.getByRole('button', { name: 'Your name visitor-7.latchkey.test' })).toBeVisible()
  expect(screen.getByRole('button', { name: /Choose a name/ }).query()).toBeNull()
})

test('availability is requested 150 ms after the last key and shown [R5.6.1]', async () => {
  const here = await renderView()
  const { screen, names, clock } = here
  await expect.element(screen.getByText(en.rule)).toBeVisible()
  await getNameField(here).fill('ab')
  await expect.element(screen.getByText(en.short)).toBeVisible()
  await getNameField(here).fill('ab_c')
  await expect.element(screen.getByText(en.characters)).toBeVisible()
  await getNameField(here).fill('ünderwäy')
  await expect.element(screen.getByText(en.characters)).toBeVisible()
  await expect.element(getButton(here)).toHaveAttribute('aria-disabled', 'true')
  await getNameField(here).fill('sail')
  clock.advance(100)
  await getNameField(here).fill('sailor')
  await expect.element(screen.getByText(en.checking)).toBeVisible()
  clock.advance(149)
  expect(names.requests).toEqual([])
  clock.advance(1)
  await expect.element(screen.getByText(en.free)).toBeVisible()
  expect(names.requests).toEqual(['sailor'])
})

test('a taken name cannot be registered, and others are suggested', async () => {
  const here = await renderView()
  const { screen, signing } = here
  await typeName(here, 'taken')
  await expect.element(screen.getByText(en.taken)).toBeVisible()
  const list = screen.getByRole('region', { name: 'Suggestions' }).getByRole('listitem')
  await expect
    .poll(() => list.elements().map(({ textContent }) => textContent))
    .toEqual(['takenRegistered', 'taken-keyAvailable', 'taken-homeAvailable'])
  expect(list.first().getByRole('button').query()).toBeNull()
  await userEvent.keyboard('{Enter}')
  expect(signing.requests).toBe(0)
  await screen.getByRole('button', { name: 'taken-key Available' }).click()
  await expect.element(getNameField(here)).toHaveValue('taken-key')
  await expect.poll(() => modalRoot().activeElement === getNameField(here).query()).toBe(true)
  here.clock.advance(500)
  await expect.element(screen.getByText(en.free)).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByText('taken-key.latchkey.test')).toBeVisible()
})

test('a pending registration is shown, and repeated clicks send a single request', async () => {
  const here = await renderView()
  const { screen, signing, clock, names } = here
  let approve = (_signature: string): void => {}
  signing.respond = () => new Promise((resolve) => (approve = resolve))
  await typeName(here, 'patient')
  await expect.element(screen.getByText(en.free)).toBeVisible()
  const press = screen.getByRole('dialog').getByRole('button', { name: /Register|Approve/ })
  const element = press.element() as HTMLButtonElement
  for (let times = 0; times < 50; times += 1) element.click()
  await expect
    .element(screen.getByRole('button', { name: 'Approve in Fake Wallet' }))
    .toHaveAttribute('aria-disabled', 'true')
  clock.advance(8_000)
  await expect.element(screen.getByText(/No request\? Open Fake Wallet/)).toBeVisible()
  expect(signing.requests).toBe(1)
  approve('0x12')
  await expect.element(screen.getByText('patient.latchkey.test')).toBeVisible()
  expect(names.sent).toHaveLength(1)
})

test('a rejected request is not a failure and can be retried', async () => {
  const here = await renderView()
  const { screen, signing } = here
  const { respond: sign } = signing
  signing.respond = () => Promise.reject(requestError('request/rejected', { method: 'personal_sign' }))
  await typeName(here, 'second-thought')
  await getButton(here).click()
  await expect.element(screen.getByText('Rejected in Fake Wallet. Nothing was registered.')).toBeVisible()
  expect(modalRoot().querySelector('#name-status')).toHaveAttribute('role', 'status')
  signing.respond = sign
  await getButton(here).click()
  await expect.element(screen.getByText('second-thought.latchkey.test')).toBeVisible()
})

test.each([
  [400, 'name', 'Name is already registered', en.taken],
  [400, 'timestamp', 'Too late.', en.late],
  [429, 'address', 'Too many.', en.tooMany],
  [401, 'signature', 'No.', en.refused],
])(
  'status %i of the server about %s is explained, and the text disappears at the next key',
  async (status, about, description, shownText) => {
    const here = await renderView({ prepare: (names) => (names.refusal = { status, field: about, description }) })
    await typeName(here, 'unlucky')
    await getButton(here).click()
    await expect.element(here.screen.getByText(shownText)).toHaveAttribute('role', 'alert')
    await getNameField(here).fill('unlucky-2')
    await expect.element(here.screen.getByText(en.checking)).toBeVisible()
  },
)

test('a name of unknown availability can still be registered', async () => {
  const here = await renderView()
  await expect.element(getNameField(here)).toBeVisible()
  here.names.down = true
  await typeName(here, 'unknown')
  await expect.element(here.screen.getByText(en.unknown)).toBeVisible()
  here.names.down = false
  await getButton(here).click()
  await expect.element(here.screen.getByText('unknown.latchkey.test')).toBeVisible()
})

test('an unreachable server is shown and can be requested again', async () => {
  const here = await renderView({ prepare: (names) => (names.down = true) })
  const again = here.screen.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  here.names.down = false
  await again.click()
  await expect.element(getNameField(here)).toBeVisible()
})

test('an existing name and a missing offer are shown', async () => {
  const owner = await renderView({ prepare: ({ sent }) => sent.push('mine.latchkey.test') })
  await expect.element(owner.screen.getByText('You already own a name: mine.latchkey.test.')).toBeVisible()
})

test('a server without names offers none', async () => {
  const none = await renderView({ prepare: (names) => (names.zones = []) })
  await expect.element(none.screen.getByText(en.unsupported)).toBeVisible()
})

test('an approval after closing the modal is shown in a toast', async () => {
  const here = await renderView()
  const { screen, signing, latchkey } = here
  let approve = (_signature: string): void => {}
  signing.respond = () => new Promise((resolve) => (approve = resolve))
  await typeName(here, 'later-on')
  await getButton(here).click()
  await expect.element(screen.getByRole('button', { name: 'Approve in Fake Wallet' })).toBeVisible()
  closeModal(latchkey)
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  approve('0x12')
  await expect.element(screen.getByText('The name is yours')).toBeInTheDocument()
  openModal(latchkey)
  await expect.element(screen.getByText('later-on.latchkey.test')).toBeVisible()
})

test.each(['light', 'dark'] as const)(
  'has no violations that axe can find, in the %s theme and either direction',
  async (theme) => {
    const here = await renderView()
    modalRoot().host.setAttribute('data-theme', theme)
    await typeName(here, 'taken')
    await expect.element(here.screen.getByText(en.taken)).toBeVisible()
    const rules = { region: { enabled: false } }
    expect((await axe.run(modalRoot().host, { rules })).violations).toEqual([])
    modalRoot().host.setAttribute('dir', 'rtl')
    expect((await axe.run(modalRoot().host, { rules })).violations).toEqual([])
    modalRoot().host.removeAttribute('dir')
  },
)

test('fits a screen of 320 by 480, with the longest name', async () => {
  await page.viewport(320, 480)
  onTestFinished(() => page.viewport(1024, 768))
  const here = await renderView()
  await typeName(here, 'a'.repeat(64))
  await expect.element(here.screen.getByText(en.free)).toBeInTheDocument()
  const tooWide = [...modalRoot().querySelectorAll('.card *')].filter(
    (element) => element.getBoundingClientRect().right > 320.5,
  )
  expect(tooWide.map(({ className }) => className)).toEqual([])
  const small = [...modalRoot().querySelectorAll('button')].filter(
    (element) => element.getBoundingClientRect().height < 44,
  )
  expect(small).toEqual([])
})

test('the view is translated to German', async () => {
  const { screen } = await renderView({ locale: 'de' })
  await expect.element(screen.getByText(/Mindestens 4 Zeichen/)).toBeVisible()
})

test('every language has all English texts', async () => {
  for (const [locale, load] of Object.entries(namesMessages.translations)) {
    expect([locale, gapsOf(en, (await load?.())?.translation)]).toEqual([locale, []])
  }
})
