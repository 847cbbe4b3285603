/** Groups of wallets, as apps list them. Latchkey finds the wallets of the page and of its server itself. */
export type WalletList = readonly { readonly groupName: string; readonly wallets: readonly unknown[] }[]
