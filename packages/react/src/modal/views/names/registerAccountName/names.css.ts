export const namesCss: string = `
.name-form{display:flex;flex-direction:column;gap:12px}
.name-field{padding-inline:16px}
.name-suffix{flex:none;max-inline-size:50%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--_muted);font-weight:550}
.name-field input{font-weight:550}
.name-status{display:flex;align-items:start;gap:8px;min-block-size:40px;padding-inline:4px;font-size:14px;line-height:20px;color:var(--_muted);text-wrap:pretty}
.name-status[data-tone=good]{color:var(--_success)}
.name-status[data-tone=bad]{color:var(--_danger)}
.name-row{min-block-size:48px;padding-inline:16px 12px}
.name-row[data-taken] .name{color:var(--_muted)}
.name-owned{max-inline-size:100%;margin-block:8px 4px;overflow-wrap:anywhere}
.name-mark{display:grid;place-items:center;inline-size:72px;block-size:72px;margin:8px auto 4px;border-radius:50%;background:var(--_fill);color:var(--_success)}`
