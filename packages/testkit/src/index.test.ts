import { expect, test } from 'vitest'
import * as page from './index.ts'
import * as node from './node.ts'
import * as playwright from './playwright.ts'

test('gives away these names and no others', () => {
  expect([page, node, playwright].map((entry) => Object.keys(entry).toSorted())).toMatchInlineSnapshot(`
    [
      [
        "RpcError",
        "announce",
        "askChain",
        "createPageProvider",
        "createSimulatedBitcoinWallet",
        "createSimulatedExtension",
        "createSimulatedPolkadotExtension",
        "createSimulatedSafe",
        "createSimulatedSolanaWallet",
        "injectLegacy",
        "messageFrom",
        "openInSafe",
        "putInjectedWeb3",
        "putSatsProvider",
        "putUnisatProvider",
        "registerSolanaWallet",
        "registerStandardWallet",
      ],
      [
        "startAnvil",
      ],
      [
        "installSimulatedBitcoinWallet",
        "installSimulatedExtension",
        "installSimulatedPolkadotExtension",
        "installSimulatedSolanaWallet",
        "openSafePage",
      ],
    ]
  `)
})
