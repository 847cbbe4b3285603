/** Apps write "no limit" in more than one way: in 256, 160 or 96 bits, and as half of these. No token has as much. */
const most = { any: 2n ** 128n, ofSmall: 2n ** 96n - 1n } as const

/** Whether an allowance is one over all that there ever will be. */
export function isUnlimited(amount: bigint): boolean {
  return amount >= most.any || amount === most.ofSmall
}
