import { expect, test } from 'vitest'
import * as page from './index.ts'
import * as node from './node/index.ts'
import * as playwright from './playwright/installSimulatedExtension.ts'

test('testkit entry points export exactly these names', () => {
  expect([page, node, playwright].map((entry) => Object.keys(entry).toSorted())).toMatchInlineSnapshot(`
    [
      [
        "RpcError",
        "announce",
        "createPageProvider",
        "createSimulatedBitcoinWallet",
        "createSimulatedExtension",
        "createSimulatedPolkadotExtension",
        "createSimulatedSafe",
        "createSimulatedSolanaWallet",
        "injectLegacy",
        "isLatchkeyError",
        "messageFrom",
        "openInSafe",
        "putInjectedWeb3",
        "putSatsProvider",
        "putUnisatProvider",
        "registerSolanaWallet",
        "registerStandardWallet",
        "requestChain",
        "testKeys",
      ],
      [
        "createMailboxReader",
        "createSimulatedPhone",
        "findTestWorld",
        "startAnvil",
        "startTestWorld",
      ],
      [
        "installSimulatedExtension",
      ],
    ]
  `)
})
