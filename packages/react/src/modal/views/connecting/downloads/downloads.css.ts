export const downloadsCss: string = `
a.row{text-decoration:none}
a.row>svg{color:var(--_muted)}`
