import { useQueryClient } from '@tanstack/react-query';

import type { ReviewView } from '../../bindings/operations';
import { VIEWS } from '../../views';
import { useBatchPlace } from '../../workbench/batchPlace';
import { useNavigation } from '../../workbench/navigation';
import { SETTINGS_SECTIONS } from '../../workbench/settingsSections';

/** The chapter of the guide about where the person is: a step of a batch and a section of Settings have their own. */
export function useHelpChapter(): string {
  const { view, section } = useNavigation();
  const { place } = useBatchPlace();
  const client = useQueryClient();
  if (view === 'settings')
    return SETTINGS_SECTIONS.find((each) => each.place === section)?.chapter ?? VIEWS.settings.chapter;
  if (view !== 'batches' || place.at === 'list') return VIEWS[view].chapter;
  if (place.at === 'batch') return 'send-and-correct-what-came-back';
  const review = client.getQueryData<ReviewView>(['review_state', { id: place.id }]);
  return reviewChapter(review);
}

export function reviewChapter(review: Pick<ReviewView, 'is_single' | 'stage'> | undefined): string {
  if (review?.is_single) return 'file-one-transaction';
  return review?.stage === 'review' ? 'repair-rows' : VIEWS.batches.chapter;
}
