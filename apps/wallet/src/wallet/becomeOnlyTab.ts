/**
 * Makes this tab the only one that holds the wallet. A tab that held it before releases it. Two tabs that share one
 * storage would both respond to the same apps.
 *
 * @param onLost called when a newer tab takes over
 */
export function becomeOnlyTab(locks: LockManager | undefined, onLost: () => void): void {
  const held = new Promise<never>(() => {})
  locks?.request('@latchkey/wallet', { steal: true }, () => held).catch(onLost)
}
