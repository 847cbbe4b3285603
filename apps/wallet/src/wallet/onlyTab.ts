/**
 * Makes this tab the one that holds the wallet; a tab that held it before lets go. Two tabs over one storage would
 * both answer the same apps.
 *
 * @param onLost called when a newer tab takes over
 */
export function becomeOnlyTab(locks: LockManager | undefined, onLost: () => void): void {
  const held = new Promise<never>(() => {})
  locks?.request('@latchkey/wallet', { steal: true }, () => held).catch(onLost)
}
