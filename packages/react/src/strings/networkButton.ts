/** What the network button says beside the network's name. */
export type NetworkButtonStrings = {
  /** No network is in use. */
  choose: string
  /** The wallet is on a network that the app does not use. */
  change: string
  /** A network without a name. */
  unknown: string
}

export const networkButtonStrings: NetworkButtonStrings = {
  choose: 'Select Network',
  change: 'Switch Network',
  unknown: 'Unknown Network',
}
