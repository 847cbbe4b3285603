/**
 * Shortens an address for display: four characters, an ellipsis, six characters.
 *
 * @example shortenAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266') // '0xf3…b92266'
 */
export function shortenAddress(address: string): string {
  return address.length <= 10 ? address : `${address.slice(0, 4)}…${address.slice(-6)}`
}
