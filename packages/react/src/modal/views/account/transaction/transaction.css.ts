/** Styles of the details of a transaction, in addition to those of all money views. */
export const transactionCss: string = `
.transaction-summary{display:flex;flex-direction:column;align-items:center;gap:4px;text-align:center}
.transaction-summary .headline{overflow-wrap:anywhere}
.transaction-status{display:flex;align-items:center;gap:4px;color:var(--_muted);font-size:14px;line-height:20px;text-wrap:pretty}
.transaction-status[data-status=failed]{color:var(--_danger)}
.transaction-hash{display:flex;align-items:center;gap:4px}
.transaction-hash .icon-button{flex:none}`
