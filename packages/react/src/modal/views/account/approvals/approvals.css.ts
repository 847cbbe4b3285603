export const approvalsCss: string = `
.approvals{overflow:hidden auto;max-block-size:min(440px,100dvh - 240px)}
.approval .row{min-block-size:72px}
.approval-revoke{flex:none;inline-size:auto;max-inline-size:45%;min-block-size:44px;padding-inline:12px;background:var(--_card);font-size:14px}`
