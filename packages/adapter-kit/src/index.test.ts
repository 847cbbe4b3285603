import { expect, test } from 'vitest'
import * as adapterKit from './index.ts'

test('the entry point exports exactly these names', () => {
  expect(Object.keys(adapterKit).toSorted()).toMatchInlineSnapshot(`
    [
      "MissingMethodError",
      "callMethod",
      "createConnectionListeners",
      "createMethodProvider",
      "createPendingRequests",
      "defaultPage",
      "fetchFirst",
      "findNetwork",
      "formatExplorerUrl",
      "getChainReference",
      "getErrorReason",
      "invalidParams",
      "isLatchkeyError",
      "listenForRegistrations",
      "parseThrown",
      "parseWalletIcon",
      "parseWalletName",
      "pollUntil",
      "requestConnection",
      "requireAccounts",
      "requireConnectedWallet",
      "scanPage",
      "settleWithin",
      "switchWithinWallet",
      "toAccountId",
      "toConnectionError",
      "toRequestError",
      "tryOrUndefined",
      "unsupportedMethodCodes",
      "withRpcUrls",
    ]
  `)
})
