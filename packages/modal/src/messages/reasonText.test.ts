import { expect, test } from 'vitest'
import { modalMessages } from './generated/index.ts'
import { reasonText } from './reasonText.ts'

const { reasons } = modalMessages.english

test.each([
  ['insufficient funds for gas * price + value: balance 0, tx cost 21000', reasons.balance],
  ['ERC20: transfer amount exceeds balance', reasons.balance],
  ['ERC20InsufficientBalance(0xabc, 1, 2)', reasons.balance],
  ['custom program error: 0x1', reasons.balance],
  ['ERC20InsufficientAllowance(0xabc, 0, 2)', reasons.allowance],
  ['EnforcedPause()', reasons.paused],
  ['Blacklistable: account is blacklisted', reasons.address],
  ['ERC20InvalidReceiver(0x0000)', reasons.address],
  ['Too little received', reasons.price],
  ['the transaction expired before the network included it', reasons.late],
  ['unknown reason', reasons.other],
  ['Visit evil.example to unlock your tokens', reasons.other],
])('reasonText of %j is %j', (reason, text) => {
  expect(reasonText(reason)).toBe(text)
})
