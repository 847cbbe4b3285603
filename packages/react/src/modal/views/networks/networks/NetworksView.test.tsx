import { connect, getAccount } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeNetwork, fakeWorld } from '@latchkey/core/fakes'
import { networkError, requestError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer } from '../../../../testing/fakeServer.ts'

const entry = { view: 'Networks', params: {} } as const

test('without a wallet a network is selected at once for the next connection', async () => {
  const { latchkey } = fakeWorld()
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByRole('button', { name: 'Network 1 Current' })).toBeVisible()
  await screen.getByRole('button', { name: 'Network 2' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(getAccount(latchkey).network?.name).toBe('Network 2')
})

test('a rejected switch is shown next to the network, and another one can be chosen', async () => {
  const connector = fakeConnector()
  const { latchkey } = fakeWorld({ connectors: [connector] })
  await connect(latchkey, 'fake')
  connector.fail('switchNetwork', requestError('request/rejected', { method: 'wallet_switchEthereumChain' }))
  const screen = await renderModal(latchkey, entry)
  await screen.getByRole('button', { name: 'Network 2' }).click()
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('The request was rejected.')
  connector.fail('switchNetwork', undefined)
  await screen.getByRole('button', { name: /Network 2/ }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(getAccount(latchkey).network?.name).toBe('Network 2')
})

test('a network that the wallet does not add is reported in the words of the specification [R8.2.7]', async () => {
  const connector = fakeConnector()
  const { latchkey } = fakeWorld({ connectors: [connector] })
  await connect(latchkey, 'fake')
  connector.fail('switchNetwork', networkError('network/add-refused', { network: 'Network 2' }))
  const screen = await renderModal(latchkey, entry)
  await screen.getByRole('button', { name: 'Network 2' }).click()
  await expect
    .element(screen.getByRole('alert').last())
    .toHaveTextContent(/^Chain is not supported\. The wallet did not/)
})

test('a pending switch says where to approve, and after eight seconds where to look', async () => {
  const adapter = fakeAdapter()
  const { latchkey, clock } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  adapter.switchNetwork = () => new Promise(() => {})
  const screen = await renderModal(latchkey, entry)
  await screen.getByRole('button', { name: 'Network 2' }).click()
  await expect.element(screen.getByText('Approve in Fake Wallet')).toBeVisible()
  clock.advance(8_000)
  await expect.element(screen.getByText(/No request\? Open Fake Wallet/)).toBeVisible()
})

test('a network that the wallet did not approve is marked', async () => {
  const connector = fakeConnector({ approvedChains: ['eip155:1'] })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  await connect(latchkey, 'fake')
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByRole('button', { name: 'Network 2 Not in this wallet' })).toBeVisible()
})

test('more than eight networks can be searched', async () => {
  const [first, ...rest] = Array.from({ length: 9 }, (_, index) => fakeNetwork({ id: index + 1 }))
  const networks = [first ?? fakeNetwork(), ...rest] as const
  const { latchkey } = fakeWorld({ adapters: [fakeAdapter({ networks })] })
  const screen = await renderModal(latchkey, entry)
  await screen.getByRole('searchbox', { name: 'Search networks' }).fill('work 7')
  await expect.poll(() => screen.getByRole('listitem').elements().length).toBe(1)
  await screen.getByRole('searchbox').fill('nowhere')
  await expect.element(screen.getByText('No network named “nowhere”.')).toBeVisible()
})

test("networks have the server's pictures by CAIP-2 id or image id, or the app's own [R3.2] [R7.2.2]", async () => {
  const own = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const networks = [
    fakeNetwork({ id: 1 }),
    { ...fakeNetwork({ id: 2 }), assets: { imageId: 'second' } },
    { ...fakeNetwork({ id: 3 }), assets: { imageUrl: own } },
  ] as const
  const { url, projectId } = fakeServer()
  const { latchkey } = fakeWorld({ adapters: [fakeAdapter({ networks })], server: url, projectId })
  performance.clearResourceTimings()
  await renderModal(latchkey, entry)
  // Letters replace a picture that cannot be loaded, as all of this server's, so the requests are read.
  const requested = (): readonly string[] =>
    performance.getEntriesByType('resource').map(({ name }) => name.replace(/\?.*/, ''))
  await expect.poll(requested).toContain(`${url}/public/getAssetImage/eip155%3A1`)
  await expect.poll(requested).toContain(`${url}/public/getAssetImage/second`)
  expect(modalRoot().querySelector<HTMLImageElement>(`.row img[src="${own}"]`)).not.toBeNull()
})
