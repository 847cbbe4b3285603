import { readablePieces } from '../../text/readable.ts'

/** A stranger's text, kept from reordering what stands around it, with everything hidden in it made visible. */
export function ReadableText({ text }: { text: string }) {
  return (
    <bdi className="readable" dir="auto">
      {readablePieces(text).map((piece) =>
        piece.kind === 'text' ? (
          piece.text
        ) : (
          <span key={piece.at} className="mark" title={piece.name}>
            {piece.codePoint}
            <span className="spoken"> {piece.name} </span>
          </span>
        ),
      )}
    </bdi>
  )
}
