import { useParams } from 'wouter';
import { StocktakePage } from './stocktake-page.tsx';
import { StocktakesList } from './stocktakes-list.tsx';

export default function StocktakesPage() {
  const { stocktakeId, part } = useParams<{ stocktakeId?: string; part?: string }>();
  if (stocktakeId === undefined) return <StocktakesList />;
  return <StocktakePage key={stocktakeId} stocktakeId={stocktakeId} part={part} />;
}
