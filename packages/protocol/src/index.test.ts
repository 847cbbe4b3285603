import { expect, test } from 'vitest'
import * as protocol from './index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(protocol).toSorted()).toMatchInlineSnapshot(`
    [
      "LatchkeyError",
      "checkSignInMessage",
      "classifyMethod",
      "createErrors",
      "formatAccountId",
      "formatAssetId",
      "formatChainId",
      "formatSignInMessage",
      "isAccountId",
      "isChainId",
      "isLatchkeyError",
      "isNamespace",
      "namespaces",
      "parseAccountId",
      "parseAssetId",
      "parseChainId",
      "parsePaymentUri",
      "parseSignInMessage",
      "receiveUri",
      "sharesAddresses",
      "signInWithEthereum",
      "writePaymentUri",
    ]
  `)
})
