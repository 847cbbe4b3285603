export const profileWalletsCss: string = `
.wallets{display:flex;flex-direction:column;gap:16px}
.wallet-row .icon-button:hover{background:var(--_card)}
.wallet-row>.icon-button+.icon-button{margin-inline-start:-12px}`
