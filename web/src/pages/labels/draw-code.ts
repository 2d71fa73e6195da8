import { code128, type DrawingContext, ean13, qrcode } from 'bwip-js/browser';
import type { LabelCode } from './label-code.ts';

/** A symbol as one path, in units of its narrowest bar, with the quiet zone that a scanner needs. */
interface DrawnCode {
  readonly path: string;
  readonly viewBox: string;
  readonly isSquare: boolean;
}

const SYMBOLS = { ean13, code128, qrcode };
/** GS1 General Specifications: 11 modules left of an EAN-13, 10 beside Code 128, 4 around a QR code. */
const QUIET = { ean13: 11, code128: 10, qrcode: 4 } as const;
/** Bars are stretched to the height of the label. */
const HEIGHT = 10;

interface Collected {
  readonly parts: readonly string[];
  readonly width: number;
  readonly height: number;
}

export function drawCode({ symbol, text }: LabelCode): DrawnCode {
  const { parts, width, height } = SYMBOLS[symbol](
    { bcid: symbol, text, scale: 1, height: HEIGHT },
    collector(),
  );
  const quiet = QUIET[symbol];
  const isSquare = symbol === 'qrcode';
  const above = isSquare ? quiet : 0;
  const viewBox = [-quiet, -above, width + 2 * quiet, height + 2 * above].join(' ');
  return { path: parts.join(''), viewBox, isSquare };
}

/** Collects what the library draws: bars as vertical lines, squares as polygons. */
function collector(): DrawingContext<Collected> {
  const parts: string[] = [];
  let [width, height] = [0, 0];
  const nothing = () => {};
  const see = (x: number, y: number) => {
    width = Math.max(width, x);
    height = Math.max(height, y);
  };
  return {
    scale: () => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: nothing,
    line: (x, from, _x, to, bar) => {
      // Lines of an odd width are drawn half a unit to the right.
      const left = x - Math.ceil(bar / 2);
      const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
      parts.push(`M${left} ${top}h${bar}V${bottom}h${-bar}z`);
      see(left + bar, bottom);
    },
    polygon: (points) => {
      parts.push(`M${points.map((point) => point.join(' ')).join('L')}z`);
      for (const [x, y] of points) see(x, y);
    },
    hexagon: nothing,
    ellipse: nothing,
    fill: nothing,
    text: nothing,
    end: () => ({ parts, width, height }),
  };
}
