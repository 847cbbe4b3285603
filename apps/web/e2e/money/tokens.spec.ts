import { localAccount, readArtifact } from '@latchkey/devnet'
import { installSimulatedExtension } from '@latchkey/testkit/playwright'
import { bytesToHex, createTestClient, encodeDeployData, http, publicActions, walletActions } from 'viem'
import { connectExtension, expect, openModal, otherAddress, test, testExtensionOf } from '../support/fixtures.ts'

/** An account that no other test uses. */
const own = localAccount(6)

/** Deploys a token that no list contains. The user holds none of it. */
async function deployUnlistedToken(rpcUrl: string): Promise<`0x${string}`> {
  const node = createTestClient({ mode: 'anvil', account: otherAddress, transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)
  const args = ['Unlisted Coin', 'LUSD', 6, [otherAddress], 5_000_000n]
  const data = encodeDeployData({ ...(await readArtifact('LocalToken')), args })
  const hash = await node.sendTransaction({ chain: null, data })
  const { contractAddress } = await node.waitForTransactionReceipt({ hash, pollingInterval: 100 })
  if (contractAddress === null || contractAddress === undefined) throw new Error('The token was not deployed.')
  return contractAddress
}

test(
  'a token is imported by its address, survives a reload, is hidden and removed',
  { tag: '@extended' },
  async ({ page, urls }) => {
    const token = await deployUnlistedToken(urls.evm)
    await installSimulatedExtension(
      page,
      testExtensionOf(urls, bytesToHex(own.getHdKey().privateKey ?? new Uint8Array())),
    )
    await page.goto(`${urls.web}/account`)
    await connectExtension(page)
    let modal = await openModal(page)
    await modal.getByRole('button', { name: 'Manage tokens' }).click()
    await modal.getByRole('searchbox').fill(token)
    const found = modal.getByRole('region', { name: 'Unlisted Coin' })
    await expect(found.getByText('Anyone can create a token with any name')).toBeVisible()
    await expect(found.getByText('You already see another token called LUSD.')).toBeVisible()
    await found.getByRole('button', { name: 'Import LUSD' }).click()
    await expect(modal.getByRole('listitem').filter({ hasText: 'Unlisted Coin' })).toContainText('Imported')
    await modal.getByRole('button', { name: 'Hide Latch Dollar' }).click()
    await page.reload()
    modal = await openModal(page)
    const tokens = modal.getByRole('tabpanel', { name: 'Tokens' })
    await expect(tokens.getByRole('listitem').filter({ hasText: 'Unlisted Coin' })).toContainText('0.000')
    await expect(tokens.getByText('Latch Dollar')).toHaveCount(0)
    await tokens.getByRole('button', { name: 'Show 1 hidden' }).click()
    await expect(tokens.getByText('Latch Dollar')).toBeVisible()
    await modal.getByRole('button', { name: 'Manage tokens' }).click()
    await modal.getByRole('button', { name: 'Remove Unlisted Coin' }).click()
    await expect(modal.getByText('Unlisted Coin')).toHaveCount(0)
  },
)
