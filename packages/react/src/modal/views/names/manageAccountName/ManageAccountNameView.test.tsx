import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeNetwork, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { type AccountId, requestError } from '@latchkey/protocol'
import axe from 'axe-core'
import { expect, onTestFinished, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { waitForAnimations, modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer } from '../../../../testing/fakeServer.ts'
import { enterGarbage } from '../../../../testing/enterGarbage.ts'

const account: AccountId = `eip155:1:0x${'a1'.repeat(20)}`
const receiver = `0x${'b2'.repeat(20)}`
const name = 'sailor.latchkey.test'

type RenderedWorld = FakeWorld & {
  screen: RenderResult
  /** The path and the message of each change so far. */
  sent: { path: string; message: Record<string, unknown> }[]
  wallet: { sign(): Promise<string> }
}

type ManagingOptions = { view?: 'ManageAccountName' | 'AccountSettings'; names?: string[]; offers?: string[] }

/** A server with the names and offers of the account. Changes move them. */
function serveNames({ names = [], offers = [] }: ManagingOptions, sent: RenderedWorld['sent']): void {
  const record = (each: string): object => ({ name: each, addresses: {}, expires_at: '2027-03-04T12:00:00.000Z' })
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (!pathname.startsWith('/v1/profile/')) return fetch(input, init)
    if (pathname === '/v1/profile/zones') return Response.json({ zones: ['latchkey.test'], now: 0 })
    if (pathname.startsWith('/v1/profile/reverse/')) return Response.json(names.map(record))
    if (pathname.startsWith('/v1/profile/offers/')) return Response.json(offers.map(record))
    if (init?.method !== 'POST') return Response.json(record(name))
    // Written by the client, whose form other tests prove.
    const { message } = JSON.parse(String(init.body)) as { message: string }
    sent.push({ path: pathname, message: JSON.parse(message) as Record<string, unknown> })
    if (pathname.endsWith('/release')) names.splice(0)
    if (pathname.endsWith('/accept')) names.push(...offers.splice(0))
    return Response.json({ ...record(name), expires_at: '2028-03-04T12:00:00.000Z' })
  }
}

async function renderView(options: ManagingOptions = {}): Promise<RenderedWorld> {
  const { view = 'ManageAccountName' } = options
  const { url, projectId } = fakeServer()
  const sent: RenderedWorld['sent'] = []
  serveNames(options, sent)
  const wallet = { sign: () => Promise.resolve('0x12') }
  const adapter = { ...fakeAdapter({ networks: [fakeNetwork({ id: 1 })] }), signMessage: () => wallet.sign() }
  const connectors = [fakeConnector({ accounts: [account], name: 'Wallet' })]
  const world = fakeWorld({ adapters: [adapter], connectors, server: url, projectId })
  await connect(world.latchkey, 'fake')
  return { ...world, sent, wallet, screen: await renderModal(world.latchkey, { view, params: {} }) }
}

async function listAxeViolations(): Promise<unknown> {
  await waitForAnimations()
  const { violations: found } = await axe.run(modalRoot().host, { rules: { region: { enabled: false } } })
  return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

test('a name is renewed from the settings, which show it', async () => {
  const { screen, sent } = await renderView({ view: 'AccountSettings', names: [name] })
  await screen.getByRole('button', { name: `Your name ${name}` }).click()
  await expect.element(screen.getByText('Yours until March 4, 2027. Renewing is free.')).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
  await screen.getByRole('button', { name: 'Renew for a year' }).click()
  await expect.element(screen.getByText('Renewed until March 4, 2028.')).toBeInTheDocument()
  expect(sent).toMatchObject([{ path: `/v1/profile/account/${name}/renew`, message: { action: 'renew', name } }])
})

test('a name is offered to an address, and to nothing else', async () => {
  const { screen, sent } = await renderView({ names: [name] })
  const field = screen.getByRole('textbox', { name: 'Transfer it to this address' })
  await field.fill('alice')
  await screen.getByRole('button', { name: 'Offer the name' }).click()
  await expect.element(screen.getByText('This is not an address. Enter the full address of an account.')).toBeVisible()
  expect(sent).toEqual([])
  await field.fill(receiver)
  await screen.getByRole('button', { name: 'Offer the name' }).click()
  await expect.element(screen.getByText(/^Offered\./)).toBeInTheDocument()
  await expect.element(field).toHaveValue('')
  expect(sent).toMatchObject([{ message: { action: 'transfer', name, to: receiver, coin_type: 60 } }])
})

test('a name is given up only after a second press that names it', async () => {
  const { screen, sent } = await renderView({ names: [name] })
  await screen.getByRole('button', { name: 'Release this name' }).click()
  await expect.element(screen.getByText(/For 90 days, only this account/)).toBeVisible()
  expect(sent).toEqual([])
  await screen.getByRole('button', { name: `Release ${name}` }).click()
  await expect.element(screen.getByText('This account has no name and no pending offers.')).toBeVisible()
  expect(sent).toMatchObject([{ message: { action: 'release', name } }])
})

test('an offered name is accepted', async () => {
  const { screen, sent } = await renderView({ offers: [name] })
  await expect.element(screen.getByText(`${name} is offered to this account.`)).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
  await screen.getByRole('button', { name: `Accept ${name}` }).click()
  await expect.element(screen.getByRole('button', { name: 'Renew for a year' })).toBeVisible()
  expect(sent).toMatchObject([{ message: { action: 'accept', name } }])
})

test('a declined change says that nothing was changed', async () => {
  const { screen, sent, wallet } = await renderView({ names: [name] })
  wallet.sign = () => Promise.reject(requestError('request/rejected', { method: 'personal_sign' }))
  await screen.getByRole('button', { name: 'Renew for a year' }).click()
  await expect.element(screen.getByText(/Nothing was changed/)).toBeVisible()
  expect(sent).toEqual([])
})

test('no entry breaks the field of a receiver', async () => {
  const { latchkey, screen } = await renderView({ names: [name] })
  const field = screen.getByRole('textbox', { name: 'Transfer it to this address' })
  expect(await enterGarbage(latchkey, field)).toEqual([])
})
